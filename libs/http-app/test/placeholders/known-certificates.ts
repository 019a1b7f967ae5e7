/** Client certificates, each with the placeholder values that Caddy reports. The private keys have been discarded. */
import { sampleCertificates } from '@sluice/testing';

export interface KnownCertificate {
  readonly what: string;
  readonly pem: string;
  /** Expected values by placeholder. Lists are written as text. */
  readonly values: Readonly<Record<string, string>>;
}

/** Expected values for a certificate that has no subject alternative names. */
const noNames = {
  'client.san.dns_names': '[]',
  'client.san.dns_names.0': '',
  'client.san.dns_names.1': '',
  'client.san.dns_names.9': '',
  'client.san.emails': '[]',
  'client.san.emails.0': '',
  'client.san.ips': '[]',
  'client.san.ips.0': '',
  'client.san.ips.1': '',
  'client.san.uris': '[]',
  'client.san.uris.0': '',
  'client.san.uris.1': '',
};

export const knownCertificates: readonly KnownCertificate[] = [
  {
    what: 'all kinds of alternative names',
    pem: sampleCertificates.client,
    values: {
      'client.fingerprint': 'a5f2fdc670d723e78d72851123f560386f4fd35b475dec827bf37d54f222cdda',
      'client.public_key':
        '049e628f38e70e76365f2fa88754e982865c1d1efce94c55043dfaf891efcd21ab4ef1406c1a754fcca6da909e274afa72d52621b57baefeccb55b25e3a864f0e7',
      'client.public_key_sha256': 'cdc8ec0037d7e0be1aab0990e36afee144a284fc229be2a79a7c4b47d2e0b3c5',
      'client.issuer': 'CN=Test CA',
      'client.serial': '85968058272638546416180',
      'client.subject': 'SERIALNUMBER=77,CN=client one,OU=u2,O=Big\\, Co\\ ,ST=Berlin,C=DE',
      'client.san.dns_names': '[c.test *.c.test b.test]',
      'client.san.dns_names.0': 'c.test',
      'client.san.dns_names.1': '*.c.test',
      'client.san.dns_names.9': '',
      'client.san.emails': '[me@c.test]',
      'client.san.emails.0': 'me@c.test',
      'client.san.ips': '[10.0.0.1 2001:db8::1]',
      'client.san.ips.0': '10.0.0.1',
      'client.san.ips.1': '2001:db8::1',
      'client.san.uris': '[spiffe://c/x http://c/?a=1]',
      'client.san.uris.0': 'spiffe://c/x',
      'client.san.uris.1': 'http://c/?a=1',
    },
  },
  {
    what: 'an RSA key and attributes without names',
    pem: `-----BEGIN CERTIFICATE-----
MIIDSDCCAu6gAwIBAgIJAID/7t3Mu6qZMAoGCCqGSM49BAMCMBIxEDAOBgNVBAMM
B1Rlc3QgQ0EwHhcNMjYxMTIxMTIxNjM1WhcNMzYxMTE4MTIxNjM1WjCB8jELMAkG
A1UEBhMCREUxFDASBgoJkiaJk/IsZAEZFgR0ZXN0MRcwFQYKCZImiZPyLGQBGRYH
ZXhhbXBsZTEOMAwGA1UEBwwFS8O2bG4xFDASBgNVBAkMC01haW4gPDE+OyB4MQ4w
DAYDVQQRDAU1MDY2NzEVMBMGA1UECgwMI2hhc2gsIENvK0NvMQwwCgYDVQQLDANv
bmUxDTALBgNVBAsMBGxlYWQxDjAMBgNVBAwMBURyLiAqMRgwFgYJKoZIhvcNAQkB
FgltZUBjLnRlc3QxIDAKBgNVBAMMA3R3bzASBgoJkiaJk/IsZAEBDAR1LTc3MIIB
IjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsjpHFlXF+beqqR9LUPd2w8KV
rH6DEJs/j723ov+Ak5nZEn+ijuiT6iMDQxCxn6djRwOpNEz0xis8rBE/4fYPucIJ
HAbfXdr6HI92kMFBFVMpmhajDuInulaf7cL5LscvyUK86naRP2dWyD2D1sJ9QStm
Lva4LyjKIrR/jIYlQ7C/WJ27tq6NdQoLfCdn8oMab4qEewaCF1EvJLMbhlHPLzji
ieEAfaLSS4csiTr0XhAoL89Bg8nRvZx7j47PRgTD3TjAQdLf5LuTxxZNpaLwfM95
rs1lsYXADSRjzAjY690WMYfhawHsCLeo22Xo8QT3BzzrpKQ4XmGFGQj6sWtvBQID
AQABo4GAMH4wEwYDVR0lBAwwCgYIKwYBBQUHAwIwJwYDVR0RBCAwHoYSaHR0cDov
L2MvYSUyQ2I/eD0xgQhhQGIudGVzdDAdBgNVHQ4EFgQUFEMNs+V0ymV1ndjxZlrL
NIs4NmQwHwYDVR0jBBgwFoAUXu59GCiqft+8rnnmaxow3Q6FP8kwCgYIKoZIzj0E
AwIDSAAwRQIhAMNnJuG7nQ2Sii567rGaqKcJ0TEyzkZh2lqNEE8MDxe+AiBpKyI7
kwhbeBm50/Jzi6oW6zs+wwp8JNuWMuXfGqcJrA==
-----END CERTIFICATE-----
`,
    values: {
      'client.fingerprint': '3e4f16bba0d878eb4f5d4da29c275f3ddfd99f43d5d3e2fb663248bac72f0612',
      'client.issuer': 'CN=Test CA',
      'client.serial': '9295410792306027161',
      'client.subject':
        'CN=two,OU=one+OU=lead,O=\\#hash\\, Co\\+Co,POSTALCODE=50667,STREET=Main \\<1\\>\\; x,L=Köln,C=DE,0.9.2342.19200300.100.1.1=#1304752d3737,1.2.840.113549.1.9.1=#0c096d6540632e74657374,2.5.4.12=#0c0544722e202a,0.9.2342.19200300.100.1.25=#13076578616d706c65,0.9.2342.19200300.100.1.25=#130474657374',
      ...noNames,
      'client.san.emails': '[a@b.test]',
      'client.san.emails.0': 'a@b.test',
      'client.san.uris': '[http://c/a%2Cb?x=1]',
      'client.san.uris.0': 'http://c/a%2Cb?x=1',
    },
  },
  {
    what: 'an Ed25519 key and hardly any attributes',
    pem: `-----BEGIN CERTIFICATE-----
MIIBNjCB3KADAgECAgEFMAoGCCqGSM49BAMCMBIxEDAOBgNVBAMMB1Rlc3QgQ0Ew
HhcNMjYxMTIxMTIxNjE2WhcNMzYxMTE4MTIxNjE2WjANMQswCQYDVQQDDAJlZDAq
MAUGAytlcAMhAPRpS2GW6FFVyW85Qcxt6ToTrZ9PxYuhLqxCBDv5afhJo1cwVTAT
BgNVHSUEDDAKBggrBgEFBQcDAjAdBgNVHQ4EFgQUo2VjUhnr7DdaH1RxiPJzl8pq
01UwHwYDVR0jBBgwFoAUXu59GCiqft+8rnnmaxow3Q6FP8kwCgYIKoZIzj0EAwID
SQAwRgIhAIj5Kk+ITEwmizedO6yzm2OSdR7g4E/ECw2BlneKJYv6AiEAtc8xwYg5
dcg2PPaD2XZ2bkqdOgP/5vdmoK/+CKZA7UI=
-----END CERTIFICATE-----
`,
    values: {
      'client.fingerprint': '0703a773091d6a823612b82914671d7a8a5efd979dc0ffa14f4a7cc9180c2d1d',
      'client.public_key': 'f4694b6196e85155c96f3941cc6de93a13ad9f4fc58ba12eac42043bf969f849',
      'client.public_key_sha256': '4bdf223b1b3b36956fcdad287de31cc9f9d56dd36a6c1c9b56ec040a48d5cccc',
      'client.issuer': 'CN=Test CA',
      'client.serial': '5',
      'client.subject': 'CN=ed',
      ...noNames,
    },
  },
  {
    what: 'unordered and repeated attributes',
    pem: `-----BEGIN CERTIFICATE-----
MIIByDCCAW4CAQYwCgYIKoZIzj0EAwIwEjEQMA4GA1UEAwwHVGVzdCBDQTAeFw0y
NjExMjExMjE3MTFaFw0zNjExMTgxMjE3MTFaMIHNMQowCAYDVQQFEwE5MQ4wDAYD
VQQDDAVmaXJzdDEKMAgGA1UECwwBYjELMAkGA1UECAwCc3QxCzAJBgNVBAoMAm8x
MQowCAYDVQQMDAF0MQswCQYDVQQKDAJvMjEMMAoGA1UEBwwDbG9jMQswCQYDVQQG
EwJERTEKMAgGA1UEEQwBMTEKMAgGA1UECwwBYTEKMAgGA1UECQwBczEPMA0GA1UE
AwwGc2Vjb25kMQwwCgYDVQQIDANzdDIxEjAQBgkqhkiG9w0BCQEWA2VAeDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABNsmAdUPrBWmKk5Zcmv4t6+OZ8H+JShLg+2h
ERbyAcaufqk1CBMsErspihgyz8rF/T8QYvEvct2BAiSDW5iRg7owCgYIKoZIzj0E
AwIDSAAwRQIgB14Pwsz4eUBZz7VfT3/4Ny8Ufp3F71MzvRTzIitnNRQCIQC4eJQr
K8F5I+bw6ZSLPkzN4rwALAw+6WK5XmUOVizVGQ==
-----END CERTIFICATE-----
`,
    values: {
      'client.fingerprint': 'aeda0958d06030e35c75b8ad477078fa55d945bd1655e5aa78aaa9e22ddaaa3a',
      'client.public_key':
        '04db2601d50fac15a62a4e59726bf8b7af8e67c1fe25284b83eda11116f201c6ae7ea93508132c12bb298a1832cfcac5fd3f1062f12f72dd810224835b989183ba',
      'client.public_key_sha256': '49a12fc0e55669ce36149f3dd5604c9002b3b8ddd77bb32f02514e5887f011c4',
      'client.issuer': 'CN=Test CA',
      'client.serial': '6',
      'client.subject':
        'SERIALNUMBER=9,CN=second,OU=b+OU=a,O=o1+O=o2,POSTALCODE=1,STREET=s,L=loc,ST=st+ST=st2,C=DE,1.2.840.113549.1.9.1=#0c03654078,2.5.4.12=#130174',
      ...noNames,
    },
  },
];
