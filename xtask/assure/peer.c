/* Work for `cargo xtask count --update --peers`, as crates/carryless-assure/src/bin/count has it for our engines:
   `peer seal BYTES TIMES`, with AES-128-GCM, a nonce of 12 bytes, 12 bytes of AAD, under a key made once. The library is
   the one that is named when this is compiled. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t key[16] = {7}, nonce[12] = {3}, aad[12] = {5};
static uint8_t tag[16];

#if defined OPENSSL
#include <openssl/evp.h>

static EVP_CIPHER_CTX *context;

static int start(void)
{
    context = EVP_CIPHER_CTX_new();
    return context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, NULL);
}

static int seal(uint8_t *text, int bytes)
{
    int done;
    return EVP_EncryptInit_ex(context, NULL, NULL, NULL, nonce) &&
           EVP_EncryptUpdate(context, NULL, &done, aad, sizeof aad) &&
           EVP_EncryptUpdate(context, text, &done, text, bytes) &&
           EVP_EncryptFinal_ex(context, text + done, &done) &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, sizeof tag, tag);
}

#elif defined LIBGCRYPT
#include <gcrypt.h>

static gcry_cipher_hd_t context;

static int start(void)
{
    /* Instructions that it shall not use. */
    const char *denied = getenv("LIBGCRYPT_DENIED");
    if (denied && gcry_control(GCRYCTL_DISABLE_HWF, denied, NULL))
        return 0;
    return gcry_check_version(NULL) && !gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0) &&
           !gcry_cipher_open(&context, GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_GCM, 0) &&
           !gcry_cipher_setkey(context, key, sizeof key);
}

static int seal(uint8_t *text, int bytes)
{
    return !gcry_cipher_setiv(context, nonce, sizeof nonce) && !gcry_cipher_authenticate(context, aad, sizeof aad) &&
           !gcry_cipher_encrypt(context, text, bytes, NULL, 0) && !gcry_cipher_gettag(context, tag, sizeof tag);
}

#elif defined NETTLE
#include <nettle/gcm.h>

static struct gcm_aes128_ctx context;

static int start(void)
{
    gcm_aes128_set_key(&context, key);
    return 1;
}

static int seal(uint8_t *text, int bytes)
{
    gcm_aes128_set_iv(&context, sizeof nonce, nonce);
    gcm_aes128_update(&context, sizeof aad, aad);
    gcm_aes128_encrypt(&context, bytes, text, text);
    gcm_aes128_digest(&context, sizeof tag, tag);
    return 1;
}
#endif

int main(int count, char **words)
{
    if (count != 4 || strcmp(words[1], "seal"))
        return 1;
    int bytes = atoi(words[2]);
    uint8_t *text = calloc(bytes, 1);
    if (!text || !start())
        return 1;
    for (int times = atoi(words[3]); times > 0; times--)
        if (!seal(text, bytes))
            return 1;
    return 0;
}
