# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares what babeltrace2 reads of a recording with what `weft read --json` does, field by field:
ctf-fields.py BABELTRACE JSON. Prints the first records that differ and how many were the same."""
import json
import re
import sys

HEAD = re.compile(r'^\[(\d+)\] (?:(\S+) )?(\S+): \{ cpu_id = (\d+) \}, '
                  r'\{ joinpoint = \( "([^"]*)" : container = \d+ \) \}(?:, \{ (?:(.*) )?\})?$')
TASK = re.compile(r'^\[(\d+)\] (?:(\S+) )?weft:task: \{ cpu_id = (\d+) \}, \{ tid = (\d+), '
                  r'pid = (\d+), uid = (\d+), lost = \d+, comm = "([^"]*)" \}$')
FIELD = re.compile(r'(\w+) = ("(?:[^"\\]|\\.)*"|[^,]+)(?:, |$)')


def value_of(text):
    if text.startswith('"'):
        return re.sub(r'\\(.)', r'\1', text[1:-1])
    return int(text, 8) if re.fullmatch('0[0-7]+', text) else int(text, 0)


def same(value, field):
    """A value of the JSON and one of babeltrace2. A width is no part of a field."""
    wanted = value['value']
    if value['type'] == 'symbol':
        return isinstance(field, int)
    if value['type'] == 'character':
        return ord(wanted) == field
    if value['type'] == 'pointer':
        return int(wanted, 16) == field
    if isinstance(wanted, int):
        return wanted == field
    if isinstance(field, int):
        # %pe: weft prints the name of an error number, the recording has the number.
        return wanted.startswith('-') and field >= 2 ** 64 - 4095
    return wanted.strip() == field or field.startswith(wanted)


def name_of(value):
    name = re.sub('[^0-9A-Za-z]+', '_', value['name']).strip('_')
    return name + ('_' + value['unit'] if value['unit'] else '')


def with_tasks(lines):
    """The events but for weft:task, each with the task that the last one of its CPU says."""
    tasks = {}
    for line in lines:
        match = TASK.match(line)
        if match:
            tasks[match[3]] = match.groups()[3:]
        else:
            match = HEAD.match(line)
            yield line, tasks.get(match[4]) if match else None


def differs(record, line, task):
    match = HEAD.match(line)
    if not match:
        return 'cannot be parsed'
    if not task:
        return 'no task before it'
    time, _, event, cpu, joinpoint, rest = match.groups()
    tid, pid, uid, comm = task
    place = record['symbol']
    place = place + ' block' if not record['function'] else f"{place}+{record['offset']:#x}"
    wanted = (record['time_ns'], record['cpu'], place, record['tid'], record['pid'], record['uid'],
              record['comm'], record['aspect'])
    found = (int(time), int(cpu), joinpoint, int(tid), int(pid), int(uid), comm,
             event.split(':')[0])
    if wanted != found:
        return f'{wanted} is not {found}'
    fields = [(name, value_of(text)) for name, text in FIELD.findall(rest or '')]
    if [name for name, _ in fields] == ['text']:
        return None if fields[0][1].startswith(record['text']) else 'another text'
    # A precision '*' in the format is a field of its own in the recording, but no value in weft's
    # records.
    values = list(record['values'])
    if len(fields) != len(values):
        return None if '*' in record.get('format', '') or len(fields) > len(values) else 'fields'
    for place, (value, (name, field)) in enumerate(zip(values, fields), 1):
        if not same(value, field):
            return f'{value} is not {field}'
        wanted = name_of(value) or f'value{place}'
        if value['name'] and name not in (wanted, f'{wanted}_{place}'):
            return f'{name} is not {wanted}'
    return None


def main():
    with open(sys.argv[1]) as lines, open(sys.argv[2]) as records:
        lines = list(with_tasks(lines.read().splitlines()))
        records = [json.loads(line) for line in records]
    records = [record for record in records if 'time_ns' in record]
    wrong = [(record, line, why) for record, (line, task) in zip(records, lines)
             for why in [differs(record, line, task)] if why]
    for record, line, why in wrong[:3]:
        print(f'{why}\n  {record}\n  {line}')
    if len(lines) != len(records):
        print(f'{len(lines)} events, {len(records)} records')
    print(len(records) - len(wrong))


main()
