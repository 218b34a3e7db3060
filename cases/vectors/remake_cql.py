#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the CQL vectors again with the real driver (Debian's python3-cassandra, 3.25).

    remake_cql.py [--write] [FOLDER]

Each line of a cql*.jsonl file names a request by its inputs; everything else in the line is what
the driver does with them. This script asks the driver and compares; with --write it puts the
driver's answer into lines that lack or contradict it, and writes golden/NAME.bin for the vectors
that scenarios of the suite are checked against. To add a vector, add a line that has name,
message, proto_version and inputs, and run it with --write.

Not the driver's own, and made here by hand:
  - a keyspace on EXECUTE and values on QUERY, which its constructors do not take, are set on the
    message; message VALUES is a bare sequence of values;
  - vectors of floats, which this version of the driver does not know, are packed by struct;
  - the write counts of the new code (cql_new_write_calls.json) are those of the Scylla fork's
    pull request 791; here they are derived: one for a batch, one for a block of values.

Exit status: 0 all the same, 1 something differs, 77 the driver is not installed.
"""

import json
import os
import struct
import sys

try:
    from cassandra import protocol
    from cassandra.cluster import ContinuousPagingOptions
except ImportError:
    print("skipped: python3-cassandra is not installed")
    sys.exit(77)

SIZES_SHOWN_BELOW = 131  # longer lists of write sizes are left out of a vector
PROSE = "(see name)"
DERIVED_KEYS = ("body_hex", "body_len", "body_sha256", "write_calls", "write_sizes", "error",
                "old_write_calls_before_error", "old_bytes_before_error", "old_partial_hex",
                "frame_hex", "opcode", "hex")


class Recorder:
    """What a driver's message writes to: remembers each write."""

    def __init__(self):
        self.writes = []

    def write(self, data):
        self.writes.append(bytes(data))

    def bytes(self):
        return b"".join(self.writes)


class BatchType:
    def __init__(self, value):
        self.value = value


class Values:
    """A bare sequence of values, in the manner of a message."""

    def __init__(self, params):
        self.params = params

    def send_body(self, f, _version):
        for param in self.params:
            protocol.write_value(f, param)


def param_of(param):
    if "null" in param:
        return None
    if "unset" in param:
        return protocol._UNSET_VALUE
    for key in ("str", "int"):
        if key in param:
            return param[key]
    return bytes.fromhex(param["hex"])


def params_of(inputs):
    params = inputs.get("params")
    return None if params is None else [param_of(param) for param in params]


def optional_hex(inputs, key):
    return None if inputs.get(key) is None else bytes.fromhex(inputs[key])


def continuous_of(inputs):
    options = inputs.get("continuous_paging")
    return None if options is None else ContinuousPagingOptions(**options)


def batch_of(inputs):
    if "repeat" in inputs:
        assert inputs["of"] == "prepared query id 07, no params", inputs["of"]
        queries = [(True, b"\x07", [])] * inputs["repeat"]
    else:
        queries = [(q["prepared"], bytes.fromhex(q["id_hex"]) if q["prepared"] else q["query"],
                    params_of(q)) for q in inputs["queries"]]
    return protocol.BatchMessage(BatchType(inputs["type"]), queries, inputs["consistency"],
                                 inputs.get("serial_consistency"), inputs.get("timestamp"),
                                 inputs.get("keyspace"))


def query_of(inputs):
    message = protocol.QueryMessage(
        inputs["query"], inputs["consistency"], inputs.get("serial_consistency"),
        inputs.get("fetch_size"), optional_hex(inputs, "paging_state_hex"),
        inputs.get("timestamp"), continuous_of(inputs), inputs.get("keyspace"))
    message.query_params = params_of(inputs)
    return message


def execute_of(inputs):
    message = protocol.ExecuteMessage(
        bytes.fromhex(inputs["query_id_hex"]), params_of(inputs), inputs["consistency"],
        inputs.get("serial_consistency"), inputs.get("fetch_size"),
        optional_hex(inputs, "paging_state_hex"), inputs.get("timestamp"),
        continuous_paging_options=continuous_of(inputs),
        result_metadata_id=optional_hex(inputs, "result_metadata_id_hex"))
    message.keyspace = inputs.get("keyspace")
    return message


def prepare_of(inputs):
    return protocol.PrepareMessage(inputs["query"], inputs.get("keyspace"))


MESSAGES = {"BATCH": batch_of, "QUERY": query_of, "EXECUTE": execute_of, "PREPARE": prepare_of,
            "VALUES": lambda inputs: Values(params_of(inputs))}

# The rejected requests that are too large to be written out in their line.
BY_NAME = {
    "batch_65536_queries": lambda: protocol.BatchMessage(
        BatchType(0), [(True, b"\x07", [])] * 65536, 1),
    "batch_keyspace_65536": lambda: protocol.BatchMessage(
        BatchType(0), [], 1, keyspace="k" * 65536),
    "execute_65536_params": lambda: protocol.ExecuteMessage(b"q", [None] * 65536, 1),
}


def message_of(line):
    if line["inputs"] == PROSE:
        return BY_NAME[line["name"]]()
    return MESSAGES[line["message"]](line["inputs"])


def remake_body(line):
    recorder = Recorder()
    message_of(line).send_body(recorder, line["proto_version"])
    body = recorder.bytes()
    made = {}
    if "body_sha256" in line:
        import hashlib
        made["body_len"] = len(body)
        made["body_sha256"] = hashlib.sha256(body).hexdigest()
    else:
        made["body_hex"] = body.hex()
    made["write_calls"] = len(recorder.writes)
    if len(recorder.writes) < SIZES_SHOWN_BELOW:
        made["write_sizes"] = [len(write) for write in recorder.writes]
    return made


def remake_error(line):
    recorder = Recorder()
    try:
        message_of(line).send_body(recorder, line["proto_version"])
        return {"error": None}
    except Exception as error:  # whatever the driver raises is the answer
        kind = type(error)
        return {"error": "%s.%s" % (kind.__module__, kind.__qualname__),
                "old_write_calls_before_error": len(recorder.writes),
                "old_bytes_before_error": len(recorder.bytes()),
                "old_partial_hex": recorder.bytes().hex()}


def remake_frame(line):
    message = message_of(line)
    message.tracing = line["tracing"]
    payload = line["custom_payload"]
    message.custom_payload = payload and {key: param_of(value) for key, value in payload}
    frame = protocol.ProtocolHandler.encode_message(
        message, line["stream"], line["proto_version"], None, line["beta"])
    return {"opcode": message.opcode, "frame_hex": bytes(frame).hex()}


def remake_vector(line):
    values = [float(value) for value in line["values"]]
    assert len(values) == line["dim"], line["name"]
    return {"hex": struct.pack(">%df" % len(values), *values).hex()}


def remake(line):
    if "dim" in line:
        return remake_vector(line)
    if "stream" in line:
        return remake_frame(line)
    return remake_error(line) if "error" in line else remake_body(line)


def count_block(line):
    """Writes that the old code spends on the values of a QUERY or EXECUTE, their count apart."""
    return sum(1 if "null" in param or "unset" in param else 2
               for param in line["inputs"].get("params") or [])


def new_write_calls(line):
    if line["message"] == "BATCH":
        return 1
    return line["write_calls"] - count_block(line)


def differences(line, made):
    return [key for key in DERIVED_KEYS if line.get(key) != made.get(key)]


def is_golden(path, line):
    return "body_hex" in line and (os.path.basename(path) == "cql_scenarios.jsonl"
                                   or line["name"].startswith("bench_"))


def golden_path(folder, line):
    return os.path.join(folder, "golden", line["name"].replace("@", "_") + ".bin")


def work_on_golden(folder, line, write):
    path = golden_path(folder, line)
    body = bytes.fromhex(line["body_hex"])
    if write:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(body)
    with open(path, "rb") as golden:
        return golden.read() == body


def work_on_file(path, write, bodies):
    """Returns how many lines of the file differ; with write, how many were changed."""
    with open(path, encoding="utf-8") as lines:
        texts = lines.read().splitlines()
    wrong = 0
    for i, text in enumerate(texts):
        line = json.loads(text)
        made = remake(line)
        keys = differences(line, made)
        if keys:
            wrong += 1
            print("%s: %s: %s" % (os.path.basename(path), line["name"],
                                  "made" if write else "differs in " + ", ".join(keys)))
            for key in keys:
                line.pop(key, None)
            line.update((key, made[key]) for key in keys if key in made)
            texts[i] = json.dumps(line, separators=(",", ":"))
        bodies[line["name"]] = line
        if is_golden(path, line) and not work_on_golden(os.path.dirname(path), line, write):
            wrong += 1
            print("golden bytes of %s differ" % line["name"])
    if write and wrong:
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n".join(texts) + "\n")
    print("%s: %d vectors, %d %s" % (os.path.basename(path), len(texts), wrong,
                                     "made" if write else "different"))
    return wrong


def work_on_new_counts(path, bodies):
    with open(path, encoding="utf-8") as counts:
        counts = json.load(counts)
    known = {name: n for name, n in counts.items() if name in bodies}
    wrong = [name for name, n in known.items() if new_write_calls(bodies[name]) != n]
    for name in wrong:
        print("new write count of %s: %d, derived %d" % (name, known[name],
                                                         new_write_calls(bodies[name])))
    print("%s: %d counts of %d checked, %d different" % (os.path.basename(path), len(known),
                                                         len(counts), len(wrong)))
    return len(wrong)


def main(arguments):
    write = "--write" in arguments
    folders = [argument for argument in arguments if argument != "--write"]
    folder = folders[0] if folders else os.path.dirname(os.path.abspath(__file__))
    names = sorted(name for name in os.listdir(folder)
                   if name.startswith("cql") and name.endswith(".jsonl"))
    if not names:
        print("no cql*.jsonl in %s" % folder)
        return 1
    bodies = {}
    wrong = sum(work_on_file(os.path.join(folder, name), write, bodies) for name in names)
    if write:
        wrong = 0
    counts = os.path.join(folder, "cql_new_write_calls.json")
    if os.path.exists(counts):
        wrong += work_on_new_counts(counts, bodies)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
