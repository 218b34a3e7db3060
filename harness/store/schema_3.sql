-- SPDX-License-Identifier: Apache-2.0
--
-- From version 2 to version 3. In runs of earlier versions the new column is NULL: not known.

-- How the run was planned, beside its seed: `looks 16 24 40 64 96; until ± 0.4 %; budget 120 s`.
ALTER TABLE run ADD COLUMN plan TEXT;
