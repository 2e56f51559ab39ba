# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rules for the test of the text that monitors read of metrics (docs/monitoring.md).

EXPOSE := $(O)/tests/monitor/expose
CHECK_NEEDS += $(EXPOSE)

#help   check-monitor  metrics as OpenMetrics, read by the parser of Prometheus' Python client
.PHONY: check-monitor
check-monitor: $(EXPOSE)
	$(Q)$(EXPOSE) >$(O)/tests/monitor/exposed
	$(Q)/usr/bin/python3 tests/monitor/read.py $(O)/tests/monitor/exposed

$(EXPOSE): tests/monitor/expose.c $(WEAVER_LIB)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(WEAVER_FLAGS) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(WEAVER_LIBS)
