# SPDX-License-Identifier: GPL-2.0-or-later
#
# A function for cases about woven programs, which source this file.

# breakpoints PID PROGRAM: prints how many bytes of PROGRAM's text differ between the memory of
# process PID and the file PROGRAM.
breakpoints() {
	python3 - "$1" "$2" <<-'END'
		import sys
		pid, path = sys.argv[1:]
		file = open(path, "rb").read()
		n = 0
		for line in open(f"/proc/{pid}/maps"):
		    fields = line.split()
		    if len(fields) < 6 or fields[5] != path or "x" not in fields[1]:
		        continue
		    low, high = (int(x, 16) for x in fields[0].split("-"))
		    offset = int(fields[2], 16)
		    with open(f"/proc/{pid}/mem", "rb") as memory:
		        memory.seek(low)
		        text = memory.read(high - low)
		    n += sum(a != b for a, b in zip(text, file[offset:]))
		print(n)
	END
}
