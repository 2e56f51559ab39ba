#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares two modules of one aspect: one that the compiler has made, and one that was made of a
# template (weaver/module/template.h). Everything that the kernel loads must be the same, with these
# exceptions: where the strings are (relocations are compared by the text that they lead to), the
# zeros at the end of the table of strings with the number of its bytes, the order of .modinfo, the
# build-id, and the hash in the header. Usage: same-module.py ONE.ko OTHER.ko
import struct
import sys

ALLOC, MERGE_STRINGS = 0x2, 0x30
RELA, NOBITS = 4, 8
HEADER_CONTENT = slice(4 + 4 + 56 + 16, 4 + 4 + 56 + 16 + 8)  # struct weft_aspect_header.content


class Module:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        at, = struct.unpack_from("<Q", self.data, 0x28)
        n, names = struct.unpack_from("<HH", self.data, 0x3c)
        self.headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, at + 64 * i)
                        for i in range(n)]
        self.names = [self.text(names, header[0]) for header in self.headers]

    def bytes(self, i):
        header = self.headers[i]
        return b"" if header[1] == NOBITS else self.data[header[4]:header[4] + header[5]]

    def text(self, section, at):
        return self.bytes(section)[at:].split(b"\0", 1)[0].decode()

    def symbol(self, table, i):
        """(section, value), or (None, name) of a symbol that is elsewhere"""
        name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", self.bytes(table), 24 * i)
        if section:
            return section, value
        return None, self.text(self.headers[table][6], name)

    def relocation(self, table, at, kind_and_symbol, addend):
        section, value = self.symbol(table, kind_and_symbol >> 32)
        kind = kind_and_symbol & 0xffffffff
        if section is None:
            return at, kind, value, addend
        # R_X86_64_PC32 and PLT32 count from the end of their four bytes.
        shift = 4 if kind in (2, 4) else 0
        if self.headers[section][2] & MERGE_STRINGS == MERGE_STRINGS:
            return at, kind, "string", self.text(section, value + addend + shift)
        return at, kind, self.names[section], value + addend

    def content(self):
        """What the kernel loads, by section"""
        ret = {}
        size = len(self.bytes(self.names.index(".weft.strings")))
        for i, name in enumerate(self.names):
            header, data = self.headers[i], self.bytes(i)
            if header[1] == RELA:
                ret[name] = sorted(self.relocation(header[6], *struct.unpack_from("<QQq", data, at))
                                   for at in range(0, len(data), 24))
            elif not header[2] & ALLOC or header[2] & MERGE_STRINGS == MERGE_STRINGS or \
                    name == ".note.gnu.build-id":
                continue
            elif name == ".modinfo":
                ret[name] = sorted(word for word in data.split(b"\0") if word)
            elif name == ".weft.strings":
                ret[name] = data.rstrip(b"\0")
            elif name == ".weft.aspect":
                ret[name] = data[:HEADER_CONTENT.start] + data[HEADER_CONTENT.stop:]
            elif name == ".data":
                ret[name] = data.replace(struct.pack("<Q", size), b"the size")
            else:
                ret[name] = header[5], data
        return ret


one, other = (Module(path).content() for path in sys.argv[1:])
differ = [name for name in sorted(one.keys() | other.keys()) if one.get(name) != other.get(name)]
for name in differ:
    print("%s differs: %s and %s" % (name, one.get(name), other.get(name)))
sys.exit(bool(differ))
