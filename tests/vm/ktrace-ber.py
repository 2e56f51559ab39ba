#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Reads what `weft ktrace --ber` has written with pyasn1's decoder, and compares it with the text of
the same events: time, CPU, event, and the value of each variable that the event stores. It knows
the tags from docs/ktrace.md alone. Prints how many events there were, and how many differ.
Usage: ktrace-ber.py BER TEXT
"""
import errno
import re
import sys

from pyasn1.codec.ber import decoder
from pyasn1.type import namedtype, tag, univ

EVENTS = """syscall-entry syscall-exit page-alloc page-free schedule-in schedule-out lock-acquire
lock-release signal-dispatch signal-handle socket-open packet-sent packet-received mount
unmount""".split()
VARIABLES = """registers pid ppid pgid free-memory total-memory page-faults pages-in pages-out
swap-in swap-out outgoing incoming signal""".split()
PARTS = {
    'registers': """orig_ax di si dx r10 r8 r9 ax ip cs flags sp bx bp r12 r13 r14 r15""".split(),
    'pid': ['pid', 'tid', 'uid'],
}
# The events that alone store a variable.
OF = {'registers': EVENTS[:2], 'outgoing': ['schedule-in'], 'incoming': ['schedule-out'],
      'signal': ['signal-dispatch', 'signal-handle']}
LOST, CPU = 31, 32


def implicit(kind, number, form, of=tag.tagClassApplication):
    return kind.subtype(implicitTag=tag.Tag(of, form, number))


def spec(number):
    """What the triplet with this tag is."""
    name = VARIABLES[number - 16] if 16 <= number < 30 else None
    if name not in PARTS:
        return implicit(univ.Integer(), number, tag.tagFormatSimple)
    parts = [namedtype.OptionalNamedType(
        part, implicit(univ.Integer(), i, tag.tagFormatSimple, tag.tagClassContext))
        for i, part in enumerate(PARTS[name])]
    return implicit(univ.Sequence(componentType=namedtype.NamedTypes(*parts)), number,
                    tag.tagFormatConstructed)


def triplets(data):
    """Each triplet of the stream, as its tag's number and its value."""
    while data:
        # A tag of one byte, or 0x1f and bytes of seven bits.
        number, used = data[0] & 0x1f, 1
        if number == 0x1f:
            number = 0
            while True:
                number = number << 7 | data[used] & 0x7f
                used += 1
                if not data[used - 1] & 0x80:
                    break
        value, data = decoder.decode(data, asn1Spec=spec(number))
        yield number, value


def events(data):
    """Each event with its time, CPU and state."""
    state, cpu, event = {}, None, None
    for number, value in triplets(data):
        if number == CPU or number == LOST or number < 16:
            if event:
                yield event
                event = None
        if number == CPU:
            cpu = int(value)
        elif number == LOST:
            state.clear()
        elif number < 16:
            event = (int(value), cpu, EVENTS[number - 1], state)
        else:
            name = VARIABLES[number - 16]
            if name in PARTS:
                state.update({part: int(value[part]) for part in value
                              if value[part].isValue})
            else:
                state[name] = int(value)
    if event:
        yield event


def text_of(event):
    """The line's values that can be told from the stream: of registers all but the call's name."""
    time, cpu, name, state = event
    values = {}
    for variable in VARIABLES:
        if name not in OF.get(variable, EVENTS):
            continue
        for part in PARTS.get(variable, [variable]):
            if part in state:
                values[part] = state[part]
    return time, cpu, name, values


def number_of(text):
    return int(text, 16 if text.startswith('0x') else 10)


def result_of(text):
    """A system call's result as the register has it."""
    repeated = {'ERESTARTSYS': 512, 'ERESTARTNOINTR': 513, 'ERESTARTNOHAND': 514,
                'ERESTART_RESTARTBLOCK': 516}
    word = text.split()[-1]
    if text[0] in '-?':
        code = repeated.get(word) or getattr(errno, word)
        return 2**64 - code
    return number_of(text)


def parse(line):
    found = re.match(r' *(\d+)\.(\d+) \[(\d+)\] .*?-\d+ ([a-z-]+)(?: |$)(.*)', line)
    seconds, ns, cpu, name, rest = found.groups()
    values = {key: number_of(text) for key, text in re.findall(r'([a-z0-9_-]+)=(\w+)', rest)}
    call = re.search(r'[a-z0-9_]+\(([^)]*)\)', rest)
    if call:
        values.update(zip(PARTS['registers'][1:7], map(number_of, call[1].split(', '))))
    result = re.search(r' = (-1 \w+|\? \w+|\w+)', rest)
    if result:
        values['ax'] = result_of(result[1])
    return int(seconds) * 10**9 + int(ns), int(cpu), name, values


def main():
    with open(sys.argv[1], 'rb') as file:
        found = map(text_of, events(file.read()))
    with open(sys.argv[2], encoding='utf-8') as file:
        wanted = map(parse, file.read().splitlines())
    n = differ = 0
    for event in found:
        line = next(wanted, None)
        n += 1
        # What the text of an event does not show: the call's number, at an exit its arguments, at
        # an entry the result.
        same = line and event[:3] == line[:3] and \
            all(event[3].get(key) == value for key, value in line[3].items()) and \
            set(event[3]) - set(line[3]) <= set(PARTS['registers'][:8])
        if not same:
            differ += 1
            if differ < 4:
                print(event, line, file=sys.stderr)
    differ += len(list(wanted))
    print(f'{n} events, {differ} differ')


main()
