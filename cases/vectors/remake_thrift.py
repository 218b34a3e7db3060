#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks the real libraries for the Thrift vectors again and compares.

Needs Debian's python3-thrift (0.17) and thrift-compiler; exits with 77 where they are missing.
With --write, lines that lack or contradict the libraries' answer are written anew.

  thrift.jsonl        each value is encoded, by the pure and by the accelerated encoder
  thrift_edge.jsonl   each input is decoded by both decoders of this version (py017_*); the
                      outcomes of other versions and of C++ are not this library's to confirm
  thrift_text.jsonl   the text of each value
  golden/*.bin        each message is decoded and encoded again; golden/req_*.bin are the vectors of
                      that name
  unprintable.c       the ranges of characters that are not shown
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77


def load_library():
    """Generates the classes of the interface and returns their modules."""
    if shutil.which("thrift") is None:
        print("skipped: no thrift compiler")
        sys.exit(SKIPPED)
    try:
        import thrift.protocol.fastbinary  # noqa: F401
    except ImportError:
        print("skipped: no python3-thrift with its C extension")
        sys.exit(SKIPPED)
    folder = tempfile.mkdtemp()
    try:
        subprocess.run(["thrift", "-nowarn", "--gen", "py", "-out", folder,
                        os.path.join(FOLDER, "tcli_subset.thrift")], check=True)
        sys.path.insert(0, folder)
        from tcli import TCLIService, ttypes
    finally:
        shutil.rmtree(folder)
    return ttypes, TCLIService


TTYPES, SERVICE = load_library()

from thrift.protocol import TBinaryProtocol  # noqa: E402
from thrift.Thrift import TApplicationException, TMessageType, TType  # noqa: E402
from thrift.transport import TTransport  # noqa: E402


def class_of(name):
    if name == "TApplicationException":
        return TApplicationException
    return getattr(TTYPES, name, None) or getattr(SERVICE, name)


def value_of(kind, detail, json_value):
    """A field's JSON as what the library holds."""
    if kind == TType.STRUCT:
        return object_of(detail[0], json_value)
    if kind == TType.LIST:
        return [value_of(detail[0], detail[1], item) for item in json_value]
    if kind == TType.MAP:
        return {value_of(detail[0], detail[1], key): value_of(detail[2], detail[3], value)
                for key, value in json_value["map"]}
    if kind == TType.STRING and isinstance(json_value, dict):
        return bytes.fromhex(json_value["hex"])
    if kind == TType.DOUBLE:
        return struct.unpack(">d", bytes.fromhex(json_value["f64bits"]))[0]
    return json_value


def object_of(cls, json_value):
    """An object with the fields of the JSON; those that it leaves out are None."""
    if cls is TApplicationException:
        return TApplicationException(json_value.get("type", 0), json_value.get("message"))
    made = cls()
    for spec in cls.thrift_spec:
        if spec is not None:
            value = json_value.get(spec[2])
            setattr(made, spec[2],
                    None if value is None else value_of(spec[1], spec[3], value))
    return made


def encode(value, header, accelerated):
    buffer = TTransport.TMemoryBuffer()
    protocol = (TBinaryProtocol.TBinaryProtocolAccelerated if accelerated
                else TBinaryProtocol.TBinaryProtocol)(buffer)
    if header is not None:
        protocol.writeMessageBegin(header["method"], header["type"], header["seqid"])
    value.write(protocol)
    return buffer.getvalue()


def check_values(line):
    value = object_of(class_of(line["struct"]), line["value"])
    for accelerated in (False, True):
        if encode(value, line.get("header"), accelerated).hex() != line["bytes_hex"]:
            yield "bytes_hex"


def outcome(cls, data, accelerated):
    buffer = TTransport.TMemoryBuffer(data)
    protocol = (TBinaryProtocol.TBinaryProtocolAccelerated if accelerated
                else TBinaryProtocol.TBinaryProtocol)(buffer)
    try:
        if cls is None:
            name, kind, sequence = protocol.readMessageBegin()
            name = name if isinstance(name, bytes) else name.encode()
            return "OK name=%s type=%d seqid=%d" % (name.hex(), kind, sequence)
        value = cls()
        value.read(protocol)
    except BaseException as error:  # whatever a decoder raises is its outcome
        return "ERR " + type(error).__name__
    return "OK %s consumed=%d" % (encode(value, None, False).hex(), buffer._buffer.tell())


def short(text):
    """An outcome without the words of an exception, which change with the interpreter."""
    return re.match(r"OK.*|ERR \w+", text, re.DOTALL).group(0)


def check_edges(line):
    cls = None if line["struct"] == "MESSAGE" else class_of(line["struct"])
    for name, accelerated in (("py017_pure", False), ("py017_accel", True)):
        if outcome(cls, bytes.fromhex(line["bytes_hex"]), accelerated) != short(
                line["outcomes"][name]):
            yield name


def check_texts(line):
    value = object_of(class_of(line["struct"]), line["value"])
    answers = {"bytes_hex": encode(value, None, False).hex(), "text": repr(value)}
    for key, answer in answers.items():
        if line.get(key) != answer:
            line[key] = answer
            yield key


def work_on_file(name, check, write):
    path = os.path.join(FOLDER, name)
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(text) for text in file if text.strip()]
    bad = 0
    for line in lines:
        for key in check(line):
            bad += 1
            print("%s: %s: another %s" % (name, line["name"], key))
    if write and bad:
        with open(path, "w", encoding="utf-8") as file:
            for line in lines:
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
    print("%s: %d vectors, %d differences" % (name, len(lines), bad))
    return bad


def check_message(path):
    with open(path, "rb") as file:
        data = file.read()
    bad = 0
    for accelerated in (False, True):
        buffer = TTransport.TMemoryBuffer(data)
        protocol = (TBinaryProtocol.TBinaryProtocolAccelerated if accelerated
                    else TBinaryProtocol.TBinaryProtocol)(buffer)
        method, kind, sequence = protocol.readMessageBegin()
        suffix = "_args" if kind == TMessageType.CALL else "_result"
        value = class_of(method + suffix)()
        value.read(protocol)
        if kind == TMessageType.CALL and method == "OpenSession":
            value.req.client_protocol = None  # reading gives it its preset
        header = {"method": method, "type": kind, "seqid": sequence}
        bad += encode(value, header, accelerated) != data
    print("%s: %s" % (os.path.basename(path), "differs" if bad else "as it was"))
    return bad


def check_messages():
    folder = os.path.join(FOLDER, "golden")
    bad = 0
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            if file.read(2) == b"\x80\x01":
                bad += check_message(path)
    with open(os.path.join(FOLDER, "thrift.jsonl"), encoding="utf-8") as file:
        vectors = {line["name"]: line for line in map(json.loads, file)}
    for name in ("req_opensession", "req_execute", "req_gettables", "req_getcolumns"):
        with open(os.path.join(folder, name + ".bin"), "rb") as file:
            if file.read().hex() != vectors[name]["bytes_hex"]:
                bad += 1
                print("golden/%s.bin is not the vector of that name" % name)
    return bad


def check_unprintable():
    with open(os.path.join(FOLDER, "..", "logging", "unprintable.c"), encoding="utf-8") as file:
        ranges = [(int(low, 16), int(high, 16))
                  for low, high in re.findall(r"\{(0x[0-9a-f]+), (0x[0-9a-f]+)\}", file.read())]
    listed = set()
    for low, high in ranges:
        listed.update(range(low, high + 1))
    bad = sum(chr(code).isprintable() == (code in listed) for code in range(0x80, 0x110000))
    print("unprintable.c: %d ranges, %d characters differ" % (len(ranges), bad))
    return bad


def main():
    write = "--write" in sys.argv[1:]
    bad = work_on_file("thrift.jsonl", check_values, False)
    bad += work_on_file("thrift_edge.jsonl", check_edges, False)
    bad += work_on_file("thrift_text.jsonl", check_texts, write)
    bad += check_messages() + check_unprintable()
    return 1 if bad and not write else 0


if __name__ == "__main__":
    sys.exit(main())
