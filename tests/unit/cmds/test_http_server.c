// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests cmds/http-server.c: which requests are answered, and that no answer makes the browser pass
 * the token on to a server at another port of 127.0.0.1, as a cookie would. Server and client run
 * in one thread, so their sockets are non-blocking.
 */
#include "cmocka-all.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/http-server.h"
#include "files.h"

#define FILE_TOKEN "a-token.of_a-file"

static struct wv_http_server server;
static char page[256]; /* the path that the server has asked answer() for */

static void answer(void *context, const char *path, struct wv_http_answer *ret)
{
	snprintf(page, sizeof(page), "%s", path);
	ret->status = 200;
	ret->type = "text/plain";
	wv_str_add(&ret->body, "shown\n");
}

static void begin(const char *token_file)
{
	struct wv_error error;

	server = (struct wv_http_server){ .answer = answer };
	if (wv_http_begin(&server, 0, token_file, &error))
		fail_msg("%s", error.message);
}

static int end(void **state)
{
	wv_http_end(&server);
	return 0;
}

/* Asks for @path; @header is a header's line, or "". The answer is valid until the next call. */
static const char *ask(const char *path, const char *header)
{
	static char got[4096];
	char request[1024];
	const struct sockaddr_in address = { .sin_family = AF_INET,
					     .sin_port = htons((uint16_t)server.port),
					     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int size = snprintf(request, sizeof(request),
			    "GET %s HTTP/1.1\r\nHost: here\r\nConnection: close\r\n%s%s\r\n", path,
			    header, *header ? "\r\n" : "");
	size_t n = 0;
	ssize_t more = -1;

	page[0] = '\0';
	assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(send(fd, request, (size_t)size, 0), size);
	for (int tries = 0; more && tries < 1000; tries++) {
		wv_http_run(&server, 10);
		more = recv(fd, got + n, sizeof(got) - 1 - n, MSG_DONTWAIT);
		if (more > 0)
			n += (size_t)more;
	}
	close(fd);
	got[n] = '\0';
	return got;
}

static int status_of(const char *got)
{
	int status = 0;

	sscanf(got, "HTTP/1.1 %d", &status);
	return status;
}

/* Asks for the path "/@word@rest". The answer must have the status @status. */
static const char *expect(int status, const char *word, const char *rest)
{
	char path[512];
	const char *got;

	snprintf(path, sizeof(path), "/%s%s", word, rest);
	got = ask(path, "");
	if (status_of(got) != status)
		fail_msg("%s: not %d: %s", path, status, got);
	return got;
}

static void test_paths(void **state)
{
	char path[512], wrong[WV_TOKEN_MAX], bearer[WV_TOKEN_MAX + 32];

	begin(NULL);
	assert_int_equal(strlen(server.token), 32);
	expect(200, server.token, "/");
	assert_string_equal(page, "/");
	expect(200, server.token, "/aspect/one/now");
	assert_string_equal(page, "/aspect/one/now");
	snprintf(wrong, sizeof(wrong), "%s", server.token);
	wrong[31] = wrong[31] == '0' ? '1' : '0';
	expect(403, wrong, "/");
	wrong[31] = '\0';
	expect(403, wrong, "/");
	expect(403, "", "");
	expect(403, "", "/");
	expect(403, "/", server.token);
	expect(403, server.token, "");
	snprintf(path, sizeof(path), "aspect/%s/", server.token);
	expect(403, path, "");
	assert_string_equal(page, "");
	snprintf(bearer, sizeof(bearer), "Authorization: Bearer %s", server.token);
	assert_int_equal(status_of(ask("/metrics", bearer)), 200);
	assert_string_equal(page, "/metrics");
}

/* Neither a cookie nor the header Referer may take the token to other servers. */
static void test_no_cookie(void **state)
{
	char cookie[WV_TOKEN_MAX + 32], argument[WV_TOKEN_MAX + 32];
	const char *got;

	begin(NULL);
	snprintf(argument, sizeof(argument), "?token=%s", server.token);
	for (int i = 0; i < 2; i++) {
		got = i ? expect(303, "", argument) : expect(200, server.session, "/");
		assert_null(strcasestr(got, "\nSet-Cookie:"));
		assert_contains(got, "\nReferrer-Policy: no-referrer\r");
	}
	snprintf(cookie, sizeof(cookie), "Cookie: weft-token=%s", server.token);
	assert_int_equal(status_of(ask("/", cookie)), 403);
}

/*
 * If the token comes from a file, a request with "?token=" and that token is redirected to an
 * address that contains another token, of this session. The file's token must not be accepted as a
 * part of an address.
 */
static void test_file(void **state)
{
	const char *file = files_write("token", FILE_TOKEN "\n", strlen(FILE_TOKEN) + 1);
	char location[WV_TOKEN_MAX + 32];

	chmod(file, 0600);
	begin(file);
	expect(403, FILE_TOKEN, "/");
	expect(403, "", "?token=another");
	assert_string_not_equal(server.session, FILE_TOKEN);
	snprintf(location, sizeof(location), "\nLocation: /%s/\r", server.session);
	assert_contains(expect(303, "", "?token=" FILE_TOKEN), location);
	assert_contains(expect(303, "/evil.example/", "?token=" FILE_TOKEN), location);
	expect(200, server.session, "/aspect/one");
	assert_int_equal(status_of(ask("/", "Authorization: Bearer " FILE_TOKEN)), 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_paths, end),
		cmocka_unit_test_teardown(test_no_cookie, end),
		cmocka_unit_test_teardown(test_file, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
