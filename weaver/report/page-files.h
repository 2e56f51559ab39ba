/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of weaver/report/page/ as they were built in: each a string. */
#ifndef WV_PAGE_FILES_H
#define WV_PAGE_FILES_H

extern const char wv_page_style[];
extern const char wv_page_script[];
extern const char wv_page_script_hash[]; /* SHA-256 of the script, base64 */
extern const char wv_page_licence[];	 /* of the plotting library; "": there is none */

#endif /* WV_PAGE_FILES_H */
