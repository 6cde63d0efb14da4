import { createPrivateKey } from 'node:crypto';

/** An unknown maker of authenticators; its key attests new passkeys. The certificate is as WebAuthn requires it. */
export const unknownMaker = {
  certificate: Buffer.from(
    'MIIBzjCCAXSgAwIBAgIURpB9R8tNKwh7rVojrFuxm0nAEIEwCgYIKoZIzj0EAwIwTzELMAkGA1UEBhMCREUxDTALBgNVBAoMBFRlc3QxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwIBcNMjYxMTIyMTc0NDE3WhgPMjEyNjEwMjkxNzQ0MTdaME8xCzAJBgNVBAYTAkRFMQ0wCwYDVQQKDARUZXN0MSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQ0wCwYDVQQDDARUZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEt1r1o0b4/q0jRXD8kdx51CyXhTIvBLZUpr9qIHfs/PudFGREcWIxIHZJKU5lDT5mlImhVuedObenwJjrkwRIvqMsMCowCQYDVR0TBAIwADAdBgNVHQ4EFgQU0yZel9HvIKgSv1ogeIZRRFumLQUwCgYIKoZIzj0EAwIDSAAwRQIhAKBoMlxdzzY3JsFvIkaxZ+bP6f4iB9NLNUsXjr1ZiwIKAiAY2+2qErtFBpA7YxzBsVUbM5god1a0iKQNkSrIfFT2Bw==',
    'base64',
  ),
  key: createPrivateKey({
    key: Buffer.from(
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgP6Q2Zc4EJipdpT4C+rusBrh3Z+IpGs4BlK+coO7M+U2hRANCAAS3WvWjRvj+rSNFcPyR3HnULJeFMi8EtlSmv2ogd+z8+50UZERxYjEgdkkpTmUNPmaUiaFW5505t6fAmOuTBEi+',
      'base64',
    ),
    format: 'der',
    type: 'pkcs8',
  }),
};
