-- SPDX-License-Identifier: Apache-2.0
--
-- Version 1 of pairbench's database (PRAGMA user_version; application_id says whose file it is).
--
-- Each run is self-contained: everything that hangs on it carries its run_key and goes when the run
-- goes. Names are repeated in every run rather than interned: a run takes a few kilobytes of them
-- beside about a megabyte of samples, and in exchange a run can be deleted, or copied from another
-- machine's database, without touching a row that another run uses.
--
-- Conventions. Names and messages are bytes as a suite gave them, which need not be UTF-8. Times are
-- nanoseconds per operation and ratios natural logarithms of b / a unless a name says otherwise.
-- A REAL that is NULL is a number that was not measured (NaN); infinities are stored as they are.
-- 64-bit unsigned numbers are kept as SQLite's signed integer of the same bits.

CREATE TABLE run (
    run_key        INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE, -- UUID: databases of many machines can be merged
    started_at     INTEGER NOT NULL,     -- seconds since 1970, UTC
    label          TEXT NOT NULL,        -- K=V, joined with ','
    patterns       TEXT NOT NULL,        -- what was asked for, one pattern a line; '' = everything
    tool_version   TEXT NOT NULL,
    seed           INTEGER NOT NULL,     -- unsigned
    launches       INTEGER NOT NULL,     -- at most, per scenario
    adaptive       INTEGER NOT NULL,     -- 1 = fewer where the intervals were narrow enough
    quick          INTEGER NOT NULL,
    injected       INTEGER NOT NULL,     -- a test of the tool itself: never a baseline
    valid          INTEGER NOT NULL,
    invalid_reason TEXT,
    wall_s         REAL,
    timed_s        REAL,                 -- of which inside timed slices
    start_ms       REAL                  -- median time from starting a worker to its first slice
) STRICT;

-- The one order of runs, whatever order they were stored in.
CREATE INDEX run_by_time ON run (started_at, id);

-- What was true of the machine, of the build and of the checkout.
CREATE TABLE fact (
    run_key INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    subject TEXT NOT NULL CHECK (subject IN ('machine', 'build', 'commit')),
    key     TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (run_key, subject, key)
) STRICT, WITHOUT ROWID;

-- A benchmark in a run: CASE/SCENARIO/VARIANT, timed or with the reason why not.
CREATE TABLE benchmark (
    run_key          INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position         INTEGER NOT NULL, -- in the order of the run, from 0
    name             TEXT NOT NULL,
    case_name        TEXT NOT NULL,
    scenario         TEXT NOT NULL,
    variant          TEXT NOT NULL,
    flags            INTEGER NOT NULL, -- 1 = a bound, 2 = a third party's
    state            TEXT NOT NULL,    -- ok, failed, skipped
    reason           TEXT,
    below_resolution INTEGER NOT NULL,
    best_ns          REAL,             -- smallest of all slices
    median_ns        REAL,             -- of the launches' medians
    repeats          INTEGER NOT NULL, -- timed slices behind best_ns; unsigned
    iterations       INTEGER NOT NULL, -- operations per slice; unsigned
    cpu_ns           REAL,
    inject_pct       REAL,
    instructions     INTEGER NOT NULL, -- per operation; -1 = not counted
    PRIMARY KEY (run_key, position)
) STRICT;

-- Not unique: a run of two builds has each benchmark once a build.
CREATE INDEX benchmark_by_name ON benchmark (run_key, case_name, scenario, variant);

-- Deterministic numbers of one operation: writes, reads, bytes, allocations …
CREATE TABLE count (
    run_key       INTEGER NOT NULL,
    position      INTEGER NOT NULL, -- of the benchmark
    name          TEXT NOT NULL,
    value         INTEGER NOT NULL,
    deterministic INTEGER NOT NULL, -- two counting passes agreed
    PRIMARY KEY (run_key, position, name),
    FOREIGN KEY (run_key, position) REFERENCES benchmark ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What one launch (one worker process) measured of one benchmark.
CREATE TABLE launch (
    run_key    INTEGER NOT NULL,
    position   INTEGER NOT NULL, -- of the benchmark
    launch     INTEGER NOT NULL, -- number in the run, from 0
    n_slices   INTEGER NOT NULL,
    iterations INTEGER NOT NULL, -- per slice; unsigned
    min_ns     REAL,             -- over the slices, as the next three
    p05_ns     REAL,
    median_ns  REAL,
    mad_ns     REAL,             -- median absolute deviation from the median
    PRIMARY KEY (run_key, position, launch),
    FOREIGN KEY (run_key, position) REFERENCES benchmark ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Raw samples, all of a launch in one blob. They are the bulk of a database and may be deleted:
-- every verdict can be recomputed without them. Layout 1, little endian: for each benchmark that
-- kept its samples, by position: uint32 position, uint32 n, then n × float32 ns per operation in
-- order of time.
CREATE TABLE samples (
    run_key INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    launch  INTEGER NOT NULL,
    layout  INTEGER NOT NULL,
    samples BLOB NOT NULL,
    PRIMARY KEY (run_key, launch)
) STRICT;

-- Two variants of one scenario, or one variant of two builds, b against a. a = b is the run's A/A
-- control.
CREATE TABLE pair (
    run_key   INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position  INTEGER NOT NULL, -- in the order of the run, from 0
    case_name TEXT NOT NULL,
    scenario  TEXT NOT NULL,
    variant   TEXT,             -- when a and b are two builds of it
    a         TEXT NOT NULL,
    b         TEXT NOT NULL,
    gated     INTEGER NOT NULL, -- judged, not only shown
    estimate  REAL,             -- median over launches of d
    lo        REAL,             -- its interval
    hi        REAL,
    timed_s   REAL,             -- timed slices of both sides, seconds
    verdict   TEXT NOT NULL,
    reason    TEXT,
    stopped   TEXT,             -- why it got no more launches
    PRIMARY KEY (run_key, position)
) STRICT;

CREATE UNIQUE INDEX pair_once ON pair (run_key, case_name, scenario, coalesce(variant, ''), a, b);

-- d_k of each launch: kept for ever, so that a verdict can be recomputed by a later method.
CREATE TABLE pair_launch (
    run_key  INTEGER NOT NULL,
    position INTEGER NOT NULL, -- of the pair
    launch   INTEGER NOT NULL,
    d        REAL,
    PRIMARY KEY (run_key, position, launch),
    FOREIGN KEY (run_key, position) REFERENCES pair ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
