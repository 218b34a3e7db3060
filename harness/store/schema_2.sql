-- SPDX-License-Identifier: Apache-2.0
--
-- From version 1 to version 2. In runs of version 1 the new columns are NULL: not known.

-- What a step of each calibration kernel took, ns: how fast the machine was during the run.
ALTER TABLE run ADD COLUMN kernel_alu_ns REAL;    -- a chain of arithmetic
ALTER TABLE run ADD COLUMN kernel_l2_ns REAL;     -- a walk through the second cache
ALTER TABLE run ADD COLUMN kernel_memory_ns REAL; -- a walk through memory

-- What was found wrong while measuring, by name and value: `modal 18 %; order +0.8 %`.
ALTER TABLE run ADD COLUMN noticed TEXT;
ALTER TABLE pair ADD COLUMN noticed TEXT;

-- Seconds of all workers of the pair's scenario, verification, counting and calibration included.
ALTER TABLE pair ADD COLUMN wall_s REAL;
