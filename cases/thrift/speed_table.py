#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the Thrift and logging cases in one run and prints how they stand to their goals.

    cases/thrift/speed_table.py [PAIRBENCH [OPTION…]]

PAIRBENCH is the program, by default `pairbench`; the options go to its `run` (--quick, --budget 5m).
Ratios are of the fastest slices of each side. Memory and allocations are those of a decoder's first
reply; from the second one on it allocates nothing.
"""
import json
import subprocess
import sys

MIB = 1 << 20
DECODE = "thrift/decode_reply/"
ENCODE = "thrift/encode_request/"
SMALL = ("columns_2415", "columns_2415_chunked", "wide_2000", "wide_2000_chunked")
TABLES = ("tables_60k", "tables_60k_chunked")
ARROW = ("arrow_4x64k", "arrow_4x64k_chunked", "arrow_100k", "arrow_100k_chunked")
HUGE = ("arrow_100m", "arrow_100m_chunked")
REQUESTS = ("open_session", "execute_statement", "execute_untagged", "get_tables", "get_columns")
SILENT = ("columns_null", "arrow_random_null", "arrow_zero_null", "arrow_ascii_null")


class Run:
    """The benchmarks of one run by name."""

    def __init__(self, document):
        self.benchmarks = {entry["name"]: entry for entry in document["benchmarks"]}

    def best_ns(self, name):
        entry = self.benchmarks.get(name, {})
        return entry.get("best_ns") if entry.get("state") == "ok" else None

    def ratio(self, scenario, over, under):
        a = self.best_ns(scenario + "/" + over)
        b = self.best_ns(scenario + "/" + under)
        return a / b if a and b else None

    def count(self, scenario, name):
        return (self.benchmarks.get(scenario + "/new", {}).get("counts") or {}).get(name)


def show(scenario, what, value, must, aim, unit, higher_is_better=False):
    if value is None:
        print("%-38s %-26s %10s" % (scenario, what, "-"))
        return
    def reached(goal):
        return value >= goal if higher_is_better else value <= goal
    verdict = "aim" if reached(aim) else "must" if reached(must) else "MISSED"
    sign = "≥" if higher_is_better else "≤"
    print("%-38s %-26s %10.2f %-4s %s %-8g %s %-8g %s" % (
        scenario, what, value, unit, sign, must, sign, aim, verdict))


def show_decoding(run):
    for names, must, aim in ((SMALL, 2.0, 1.3), (TABLES, 2.5, 1.6), (ARROW, 1.2, 1.05)):
        for name in names:
            scenario = DECODE + name
            show(scenario, "new / floor", run.ratio(scenario, "new", "floor"), must, aim, "×")
    for name in SMALL + TABLES:
        scenario = DECODE + name
        show(scenario, "thrift_cpp / new", run.ratio(scenario, "thrift_cpp", "new"), 4, 6, "×", True)
        if name in SMALL:
            show(scenario, "old / new", run.ratio(scenario, "old", "new"), 5, 5, "×", True)


def show_memory(run):
    for name in HUGE:
        scenario = DECODE + name
        peak = run.count(scenario, "first_peak_bytes")
        size = run.count(scenario, "bytes")
        over = (peak - size) / MIB if peak and size else None
        show(scenario, "peak heap over the reply", over, 5, 1.1, "MiB")
    for name in SMALL + TABLES + ARROW + HUGE:
        scenario = DECODE + name
        size = run.count(scenario, "bytes")
        if size is not None:
            show(scenario, "allocations", run.count(scenario, "first_allocations"),
                 size // 65536 + 20, size // 65536 + 20, "")


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "pairbench"
    command = [program, "--format", "json", "run", "--no-store", *sys.argv[2:],
               "thrift/*", "logging/payload/*_null/*"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if not done.stdout:
        return done.returncode or 2
    run = Run(json.loads(done.stdout))
    print("%-38s %-26s %10s %-4s %-10s %-10s %s" % (
        "scenario", "what", "measured", "", "must", "aim", "reached"))
    show_decoding(run)
    show_memory(run)
    for name in REQUESTS:
        scenario = ENCODE + name
        show(scenario, "new / floor", run.ratio(scenario, "new", "floor"), 1.5, 1.2, "×")
    for name in SILENT:
        scenario = "logging/payload/" + name
        show(scenario, "new", run.best_ns(scenario + "/new"), 100, 100, "ns")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
