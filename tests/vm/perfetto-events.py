# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares a trace that `weft export --perfetto` has written with what babeltrace2 reads of the
recording. Usage: perfetto-events.py PACKETS EVENTS, the outputs of `protoc --decode` and of
`babeltrace2 --clock-cycles --no-delta`. Prints what is wrong, or how many events, slices and
values of counters there are."""
import re
import sys
from collections import defaultdict


def parse(lines):
    """The message in protoc's text form, as a dict of lists, up to the end of its block."""
    message = defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            return message
        if line.endswith(" {"):
            message[line[:-2]].append(parse(lines))
            continue
        key, value = line.split(": ", 1)
        if value.startswith('"'):
            value = value[1:-1]
        elif re.fullmatch(r"-?\d+", value):
            value = int(value)
        message[key].append(value)
    return message


def fields(message):
    for key, values in message.items():
        yield key
        for value in values:
            if isinstance(value, defaultdict):
                yield from fields(value)


def compare(what, found, wanted):
    if sorted(found) != sorted(wanted):
        print(f"{what}: {len(found)} found, {len(wanted)} wanted:",
              sorted(set(found) ^ set(wanted))[:3])


def annotations(event):
    return {a["name"][0]: next(v[0] for k, v in a.items() if k != "name")
            for a in event["debug_annotations"]}


trace = parse(iter(open(sys.argv[1])))
unknown = [key for key in fields(trace) if key.isdigit()]
if unknown:
    print("fields that the schema does not have:", unknown[:3])
cpus, lanes, tasks, counters = {}, {}, {}, set()
on_tasks, on_cpus, slices, values, open_slices = [], [], 0, 0, defaultdict(list)
for packet in trace["packet"]:
    for track in packet["track_descriptor"]:
        uuid, name = track["uuid"][0], track["name"][0] if track["name"] else ""
        if track["thread"]:
            tasks[uuid] = track["thread"][0]["tid"][0]
        elif track["counter"]:
            counters.add(uuid)
        elif name.startswith("CPU "):
            cpus[uuid] = int(name[4:])
        elif name.startswith("swapper/"):
            tasks[uuid] = 0
        elif track["parent_uuid"] and track["parent_uuid"][0] in tasks:
            lanes[uuid] = tasks[track["parent_uuid"][0]]
# As Perfetto does: by time, and those of one time in the order of the file.
events = [(p["timestamp"][0], p["track_event"][0]) for p in trace["packet"] if p["track_event"]]
for time, event in sorted(events, key=lambda pair: pair[0]):
    kind, track = event["type"][0], event["track_uuid"][0]
    if kind == "TYPE_COUNTER" and track in counters:
        values += 1
    elif kind == "TYPE_INSTANT" and track in cpus:
        if not event["name"][0].endswith(" lost"):
            on_cpus.append((time, cpus[track]))
    elif kind == "TYPE_INSTANT" and track in tasks:
        on_tasks.append((time, tasks[track]))
    elif kind == "TYPE_SLICE_BEGIN" and track in lanes:
        open_slices[track].append((time, annotations(event)["$elapsed"]))
    elif kind == "TYPE_SLICE_END" and track in lanes and open_slices[track]:
        begin, elapsed = open_slices[track].pop()
        if time - begin != elapsed:
            print(f"a slice from {begin} to {time}, of which the record says {elapsed}")
        slices += 1
        on_tasks.append((time, lanes[track]))
    else:
        print(f"at {time} a {kind} on a track that is not for it")
for track, left in open_slices.items():
    if left:
        print(f"{len(left)} slices without an end")
by_task, by_cpu, tids = [], [], {}
for line in open(sys.argv[2]):
    time, cpu = re.match(r"\[0*(\d+)\] .*?\{ cpu_id = (\d+) \}", line).groups()
    if " weft:task: " in line:
        tids[cpu] = int(re.search(r"\btid = (\d+)", line).group(1))
        continue
    by_task.append((int(time), tids[cpu]))
    by_cpu.append((int(time), int(cpu)))
compare("events of tasks", on_tasks, by_task)
compare("events of CPUs", on_cpus, by_cpu)
print(f"{len(on_tasks)} events, {slices} slices, {values} values")
