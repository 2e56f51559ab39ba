// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work for libcrypto: digests, ciphers, message codes, key derivation, big numbers, curves, RSA,
 * certificates and their text forms. The library's random number generator is replaced, so that
 * keys are the same each time.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <err.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "work.h"

enum { MOST = 4096 };

static uint64_t sum, random_state;
static unsigned char text[MOST], key[64], other[2 * MOST + 64], back[2 * MOST + 64];

static int random_bytes(unsigned char *ret, int n)
{
	while (n--) {
		random_state = random_state * 6364136223846793005 + 1442695040888963407;
		*ret++ = random_state >> 56;
	}
	return 1;
}

static int random_status(void)
{
	return 1;
}

static void add(const void *bytes, size_t n)
{
	sum = work_add(sum, bytes, n);
}

/*
 * Adds the numbers of libcrypto's errors to the result of the work: they must be the same each time
 * too.
 */
static void expect(int right)
{
	unsigned long error;

	sum += right > 0;
	while ((error = ERR_get_error()))
		add(&error, sizeof(error));
}

static void digests(size_t n)
{
	static const char *const names[] = { "MD5",	 "SHA1",      "SHA224",	    "SHA256",
					     "SHA384",	 "SHA512",    "SHA512-256", "SHA3-256",
					     "SHA3-512", "SHAKE128",  "BLAKE2B512", "BLAKE2S256",
					     "SM3",	 "RIPEMD160", "MD5-SHA1" };
	unsigned char value[EVP_MAX_MD_SIZE];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		EVP_MD *md = EVP_MD_fetch(NULL, names[i], NULL);
		EVP_MD_CTX *context = EVP_MD_CTX_new();
		unsigned int size = 0;

		EVP_DigestInit_ex2(context, md, NULL);
		for (size_t at = 0, piece = 1; at < n; at += piece, piece = piece * 2 + 1)
			EVP_DigestUpdate(context, text + at, piece < n - at ? piece : n - at);
		expect(EVP_DigestFinal_ex(context, value, &size));
		add(value, size);
		EVP_MD_CTX_free(context);
		EVP_MD_free(md);
	}
}

static int run_cipher(const EVP_CIPHER *cipher, int encrypt, const unsigned char *from, int n,
		      unsigned char *to)
{
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	int done = 0, more = 0, ok;

	EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
	ok = EVP_CipherInit_ex2(context, cipher, key, key + 32, encrypt, NULL);
	if (ok && EVP_CIPHER_get_mode(cipher) == EVP_CIPH_GCM_MODE)
		EVP_CipherUpdate(context, NULL, &done, key, 13);
	if (ok && n > 100 && EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CBC_MODE) {
		ok = EVP_CipherUpdate(context, to, &more, from, 33);
		done = more;
		ok = ok && EVP_CipherUpdate(context, to + done, &more, from + 33, n - 33);
		done += more;
	} else {
		ok = ok && EVP_CipherUpdate(context, to, &done, from, n);
	}
	ok = ok && EVP_CipherFinal_ex(context, to + done, &more);
	expect(ok);
	EVP_CIPHER_CTX_free(context);
	return done + more;
}

static void ciphers(size_t n)
{
	static const char *const names[] = {
		"AES-128-ECB",	     "AES-128-CBC",	"AES-192-CBC",	    "AES-256-CBC",
		"AES-256-CTR",	     "AES-128-GCM",	"AES-256-GCM",	    "AES-128-OCB",
		"AES-256-CFB",	     "AES-128-CFB8",	"AES-128-CFB1",	    "AES-256-OFB",
		"AES-128-XTS",	     "AES-128-WRAP",	"AES-256-WRAP-PAD", "CAMELLIA-128-CBC",
		"CAMELLIA-256-CTR",  "ARIA-128-CBC",	"ARIA-256-GCM",	    "SM4-CBC",
		"SM4-CTR",	     "DES-EDE3-CBC",	"DES-EDE-CFB",	    "ChaCha20",
		"ChaCha20-Poly1305", "AES-128-CBC-CTS",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, names[i], NULL);
		int size;

		if (!cipher)
			errx(2, "no %s", names[i]);
		size = run_cipher(cipher, 1, text, n / 16 * 16, other);
		add(other, size);
		size = run_cipher(cipher, 0, other, size, back);
		add(back, size);
		EVP_CIPHER_free(cipher);
	}
}

static void codes(size_t n)
{
	static const struct {
		const char *name, *parameter, *value;
	} macs[] = { { "HMAC", "digest", "SHA256" },	 { "CMAC", "cipher", "AES-128-CBC" },
		     { "KMAC-128", NULL, NULL },	 { "POLY1305", NULL, NULL },
		     { "SIPHASH", NULL, NULL },		 { "BLAKE2BMAC", NULL, NULL },
		     { "GMAC", "cipher", "AES-128-GCM" } };
	unsigned char value[64];

	for (size_t i = 0; i < sizeof(macs) / sizeof(macs[0]); i++) {
		EVP_MAC *mac = EVP_MAC_fetch(NULL, macs[i].name, NULL);
		EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
		OSSL_PARAM parameters[3] = { OSSL_PARAM_END, OSSL_PARAM_END, OSSL_PARAM_END };
		size_t size = 0, length = !strcmp(macs[i].name, "POLY1305") ? 32 : 16;

		if (macs[i].parameter)
			parameters[0] = OSSL_PARAM_construct_utf8_string(macs[i].parameter,
									 (char *)macs[i].value, 0);
		if (!strcmp(macs[i].name, "GMAC"))
			parameters[1] = OSSL_PARAM_construct_octet_string("iv", key + 32, 12);
		expect(EVP_MAC_init(context, key, length, parameters));
		expect(EVP_MAC_update(context, text, n));
		expect(EVP_MAC_final(context, value, &size, sizeof(value)));
		add(value, size);
		EVP_MAC_CTX_free(context);
		EVP_MAC_free(mac);
	}
}

static void derivations(unsigned int size)
{
	unsigned char out[64];
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
	size_t n = sizeof(out);

	expect(PKCS5_PBKDF2_HMAC("pass", 4, key, 8, size, EVP_sha256(), sizeof(out), out));
	add(out, sizeof(out));
	expect(EVP_PBE_scrypt("pass", 4, key, 8, 2, 1, 1, 1 << 20, out, sizeof(out)));
	add(out, sizeof(out));
	expect(EVP_PKEY_derive_init(context));
	EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha1());
	EVP_PKEY_CTX_set1_hkdf_salt(context, key, 8);
	EVP_PKEY_CTX_set1_hkdf_key(context, key + 8, 16);
	expect(EVP_PKEY_derive(context, out, &n));
	add(out, n);
	EVP_PKEY_CTX_free(context);
}

static void add_number(const BIGNUM *number)
{
	char *digits = BN_bn2dec(number);

	add(digits, strlen(digits));
	OPENSSL_free(digits);
}

static void numbers(int bits)
{
	BN_CTX *context = BN_CTX_new();
	BIGNUM *a = BN_new(), *b = BN_new(), *m = BN_new(), *r = BN_new(), *q = BN_new();

	BN_rand(a, bits, 0, 0);
	BN_rand(b, bits - 13, 0, 1);
	BN_rand(m, bits, 1, 1);
	BN_mul(r, a, b, context);
	add_number(r);
	BN_div(q, r, r, m, context);
	add_number(q);
	BN_sqr(q, b, context);
	BN_mod_exp(r, a, b, m, context);
	add_number(r);
	BN_gcd(q, a, b, context);
	add_number(q);
	expect(BN_mod_inverse(q, a, m, context) != NULL);
	add_number(q);
	BN_lshift(r, a, 77);
	BN_rshift(q, b, 33);
	BN_sub(r, r, q);
	BN_add_word(r, 12345);
	BN_mod_word(r, 97);
	BN_kronecker(a, m, context);
	BN_set_word(m, 1000003);
	BN_mod(r, a, m, context);
	BN_mod_sqrt(q, r, m, context);
	expect(BN_check_prime(m, context, NULL));
	ERR_clear_error();
	add_number(r);
	BN_hex2bn(&r, "123456789abcdef0123456789abcdef");
	add_number(r);
	BN_free(a);
	BN_free(b);
	BN_free(m);
	BN_free(r);
	BN_free(q);
	BN_CTX_free(context);
}

static EVP_PKEY *make_key(const char *type, const char *group, int bits)
{
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	EVP_PKEY *pkey = NULL;

	expect(EVP_PKEY_keygen_init(context));
	if (group)
		expect(EVP_PKEY_CTX_set_group_name(context, group));
	if (bits)
		expect(EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits));
	expect(EVP_PKEY_generate(context, &pkey));
	EVP_PKEY_CTX_free(context);
	return pkey;
}

static void sign(EVP_PKEY *pkey, const EVP_MD *md, size_t n)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	unsigned char value[512];
	size_t size = sizeof(value);

	expect(EVP_DigestSignInit(context, NULL, md, NULL, pkey));
	expect(EVP_DigestSign(context, value, &size, text, n));
	add(value, size);
	EVP_MD_CTX_reset(context);
	expect(EVP_DigestVerifyInit(context, NULL, md, NULL, pkey));
	expect(EVP_DigestVerify(context, value, size, text, n));
	value[size / 2] ^= 4;
	expect(EVP_DigestVerify(context, value, size, text, n));
	EVP_MD_CTX_free(context);
}

static void agree(EVP_PKEY *mine, EVP_PKEY *theirs)
{
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, mine, NULL);
	unsigned char secret[256];
	size_t n = sizeof(secret);

	expect(EVP_PKEY_derive_init(context));
	expect(EVP_PKEY_derive_set_peer(context, theirs));
	expect(EVP_PKEY_derive(context, secret, &n));
	add(secret, n);
	EVP_PKEY_CTX_free(context);
}

static void add_written(BIO *bio)
{
	char *bytes;
	long n = BIO_get_mem_data(bio, &bytes);

	add(bytes, n);
}

/* Writes the key as text, encrypted with @cipher, and reads it back. */
static void write_key(EVP_PKEY *pkey, const EVP_CIPHER *cipher)
{
	BIO *bio = BIO_new(BIO_s_mem());
	EVP_PKEY *again;

	expect(EVP_PKEY_print_private(bio, pkey, 2, NULL));
	add_written(bio);
	(void)BIO_reset(bio);
	expect(PEM_write_bio_PKCS8PrivateKey(bio, pkey, cipher, NULL, 0, NULL, (void *)"word"));
	add_written(bio);
	again = PEM_read_bio_PrivateKey(bio, NULL, NULL, (void *)"word");
	expect(again && EVP_PKEY_eq(again, pkey));
	EVP_PKEY_free(again);
	BIO_free(bio);
}

static void certificate(EVP_PKEY *pkey, const EVP_MD *md)
{
	X509 *cert = X509_new(), *again;
	X509_NAME *name = X509_get_subject_name(cert);
	BIO *bio = BIO_new(BIO_s_mem());
	X509_EXTENSION *extension =
		X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name,
				    "DNS:weft.example,IP:127.0.0.1,email:a@b.example");

	X509_set_version(cert, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(cert), 4711);
	ASN1_TIME_set_string(X509_getm_notBefore(cert), "20200101000000Z");
	ASN1_TIME_set_string(X509_getm_notAfter(cert), "20991231235959Z");
	X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
				   (const unsigned char *)"weft \xc3\xa9", -1, -1, 0);
	X509_NAME_add_entry_by_txt(name, "O", MBSTRING_ASC, (const unsigned char *)"tests", -1, -1,
				   0);
	X509_set_issuer_name(cert, name);
	X509_set_pubkey(cert, pkey);
	X509_add_ext(cert, extension, -1);
	expect(X509_sign(cert, pkey, md));
	expect(X509_verify(cert, pkey));
	expect(X509_print_ex(bio, cert, XN_FLAG_ONELINE, 0));
	expect(PEM_write_bio_X509(bio, cert));
	add_written(bio);
	again = PEM_read_bio_X509(bio, NULL, NULL, NULL);
	expect(again && !X509_cmp(again, cert));
	X509_free(again);
	X509_EXTENSION_free(extension);
	X509_free(cert);
	BIO_free(bio);
}

static void keys(unsigned int size)
{
	static const char *const curves[] = { "P-256",		 "P-384",     "secp256k1",
					      "brainpoolP256r1", "sect163k1", "P-521" };
	const EVP_CIPHER *cipher = size < 8 ? NULL : EVP_aes_128_cbc();
	EVP_PKEY *one, *two;

	one = make_key("X25519", NULL, 0);
	two = make_key("X25519", NULL, 0);
	agree(one, two);
	EVP_PKEY_free(one);
	EVP_PKEY_free(two);
	one = make_key("ED25519", NULL, 0);
	sign(one, NULL, size);
	certificate(one, NULL);
	write_key(one, cipher);
	EVP_PKEY_free(one);
	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]) && 2 * i + 2 <= size; i++) {
		one = make_key("EC", curves[i], 0);
		sign(one, EVP_sha256(), size);
		agree(one, one);
		if (!i)
			certificate(one, EVP_sha384());
		write_key(one, cipher);
		EVP_PKEY_free(one);
	}
	if (size < 8)
		return;
	one = make_key("RSA", NULL, 512);
	sign(one, EVP_sha1(), size);
	certificate(one, EVP_sha256());
	write_key(one, cipher);
	EVP_PKEY_free(one);
}

static void encodings(size_t n)
{
	ASN1_OBJECT *object = OBJ_txt2obj("1.2.840.113549.1.1.11", 0);
	char name[80];

	EVP_EncodeBlock(other, text, n);
	add(other, strlen((char *)other));
	expect(EVP_DecodeBlock(back, other, strlen((char *)other)));
	add(back, n);
	OBJ_obj2txt(name, sizeof(name), object, 1);
	add(name, strlen(name));
	OBJ_obj2txt(name, sizeof(name), object, 0);
	add(name, strlen(name));
	ASN1_OBJECT_free(object);
}

static size_t begin(unsigned int size)
{
	size_t n = size * 64 < MOST ? size * 64 : MOST;

	sum = 3;
	random_state = 1;
	work_text((char *)text, n, size);
	random_bytes(key, sizeof(key));
	return n;
}

uint64_t work_digests(unsigned int size)
{
	digests(begin(size));
	return sum;
}

uint64_t work_ciphers(unsigned int size)
{
	ciphers(begin(size));
	return sum;
}

uint64_t work_codes(unsigned int size)
{
	size_t n = begin(size);

	codes(n);
	derivations(size);
	encodings(n);
	return sum;
}

uint64_t work_numbers(unsigned int size)
{
	begin(size);
	numbers(64 + 32 * size);
	return sum;
}

uint64_t work_keys(unsigned int size)
{
	begin(size);
	keys(size);
	return sum;
}

void work_cryptography_init(void)
{
	static const RAND_METHOD method = { .bytes = random_bytes,
					    .pseudorand = random_bytes,
					    .status = random_status };

	if (!RAND_set_rand_method(&method))
		errx(2, "random numbers");
	work_digests(1);
	work_ciphers(1);
	work_codes(1);
	work_numbers(1);
	work_keys(1);
}
