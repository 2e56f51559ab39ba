# SPDX-License-Identifier: GPL-2.0-or-later
#
# The page's script, style and plotting library, which become a part of the weft program. The
# library comes from npm, in the versions that package-lock.json pins. Without npm the page has no
# plots, and says so. If WEFT_PLOTS is set, it is a file with the library (`make deb` sets it), and
# npm is not needed.

PAGE_SOURCE   := weaver/report/page
PAGE          := $(O)/weaver/report/page
PAGE_SCRIPTS  := $(addprefix $(PAGE_SOURCE)/,base.js tables.js histograms.js time.js icicle.js \
		 source.js compare.js live.js start.js)
# The parts of D3, each after the parts that it needs.
D3_PARTS      := array color format interpolate time time-format scale selection axis path shape \
		 hierarchy
# The file's name says whether npm was found. So make builds another file once npm is installed.
PLOTS         := $(or $(WEFT_PLOTS),$(PAGE)/plots-$(if $(shell command -v npm),npm,none).js)
PAGE_OBJECT   := $(O)/weaver/report/page-files.o

$(PAGE)/plots-none.js:
	@mkdir -p $(@D)
	@echo 'weft: npm is missing (apt install npm): pages will have tables and no plots' >&2
	$(Q): >$@

# If npm fails, an empty file with the time 0 is left, which is out of date: the next make tries
# again.
$(PAGE)/plots-npm.js: $(PAGE_SOURCE)/package.json $(PAGE_SOURCE)/package-lock.json
	@mkdir -p $(@D)/npm
	$(call say,NPM,$@)
	$(Q)cp $^ $(@D)/npm
	$(Q)if (cd $(@D)/npm && npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 \
			--fetch-timeout=20000) >$(@D)/npm.log 2>&1; then \
		cd $(@D)/npm/node_modules && \
		{ echo '/*'; echo 'The page draws its plots with parts of D3, https://d3js.org.'; \
		  echo; cat d3-array/LICENSE; echo '*/'; \
		  for part in $(D3_PARTS); do \
			cat d3-$$part/dist/d3-$$part.min.js || exit 1; echo; \
		  done; } >$@.new && mv $@.new $@; \
	else \
		echo 'weft: npm could not fetch what draws plots ($(@D)/npm.log):' \
			'pages will have tables and no plots' >&2; \
		: >$@; touch -d @0 $@; \
	fi

# The text of the page's script element, and its hash: the page allows only a script with this hash
# to run. The script must not contain </script or <!--, which HTML would take for the element's end
# and for a comment.
$(PAGE)/script.js: $(PLOTS) $(PAGE_SCRIPTS) $(PAGE_SOURCE)/build.mk
	@mkdir -p $(@D)
	$(call say,JS,$@)
	$(Q)if grep -qiE '</script|<!--' $(filter %.js,$^); then \
		echo 'weft: a script of the page would end it' >&2; exit 1; fi
	$(Q){ cat $(PLOTS); echo '(() => {'; cat $(PAGE_SCRIPTS); echo '})();'; } >$@
	$(Q)perl -MDigest::SHA -e '$$sha = Digest::SHA->new(256); $$sha->addfile(shift); \
		print $$sha->b64digest . "="' $@ >$(PAGE)/script.hash
	$(Q)sed -n '1{/^\/\*$$/!q}; /^\/\*$$/d; /^\*\/$$/q; p' $(PLOTS) >$(PAGE)/licence.txt

$(PAGE)/style.css: $(PAGE_SOURCE)/page.css $(PAGE_SOURCE)/plots.css
	@mkdir -p $(@D)
	$(Q)cat $^ >$@

$(PAGE_OBJECT): weaver/report/page-files.S $(PAGE)/script.js $(PAGE)/style.css | deps
	@mkdir -p $(@D)
	$(call say,AS,$@)
	$(Q)$(CC) -Wa,-I,$(PAGE) -c -o $@ $<
