/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of the HTML page, linked into the program (page-files.S). Each is a string that ends in
 * NUL.
 */
#ifndef WV_PAGE_FILES_H
#define WV_PAGE_FILES_H

extern const char wv_page_style[];
extern const char wv_page_script[];
extern const char wv_page_script_hash[]; /* SHA-256 of the script, in base64 */
/* licence of the plotting library; "": the page has no plots */
extern const char wv_page_licence[];

#endif /* WV_PAGE_FILES_H */
