import assert from "node:assert/strict";
import { test } from "node:test";
import { hideKeys, redactor } from "./secrets.ts";

// Put together here, so that no scanner takes this file for a leak.
const some = (count: number, alphabet = "aB3dE6gH9j"): string => alphabet.repeat(20).slice(0, count);
const hex = (count: number): string => some(count, "0a1b2c3d4e");

const keys: readonly string[] = [
  `sk-${some(48)}`,
  `sk-ant-api03-${some(80)}`,
  `sk-proj-${some(60)}`,
  `gsk_${some(52)}`,
  `xai-${some(80)}`,
  `pplx-${some(48)}`,
  `r8_${some(37)}`,
  `hf_${some(34)}`,
  `AIza${some(35)}`,
  `ya29.${some(60)}`,
  `GOCSPX-${some(28)}`,
  `ghp_${some(36)}`,
  `gho_${some(36)}`,
  `ghs_${some(36)}`,
  `github_pat_${some(22)}_${some(59)}`,
  `glpat-${some(20)}`,
  `npm_${some(36)}`,
  `pypi-AgEIcHlwaS5vcmc${some(70)}`,
  `rubygems_${hex(48)}`,
  `dckr_pat_${some(27)}`,
  `ATATT3${some(180)}`,
  `PMAK-${hex(24)}-${hex(34)}`,
  `lin_api_${some(40)}`,
  `AKIA${some(16, "ABCDEFGH23")}`,
  `ASIA${some(16, "ABCDEFGH23")}`,
  `dop_v1_${hex(64)}`,
  `hvs.${some(90)}`,
  `dp.pt.${some(43)}`,
  `dapi${hex(32)}`,
  `sbp_${hex(40)}`,
  `sk_live_${some(24)}`,
  `rk_test_${some(24)}`,
  `whsec_${some(32)}`,
  `shpat_${hex(32)}`,
  `SG.${some(22)}.${some(43)}`,
  `key-${hex(32)}`,
  `xoxb-${some(12, "1234567890")}-${some(24)}`,
  `123456789:AA${some(33)}`,
  `glsa_${some(32)}_${hex(8)}`,
  `sntrys_${some(60)}`,
  `NRAK-${some(27, "ABCDEFGH23")}`,
  `eyJ${some(20)}.eyJ${some(40)}.${some(43)}`,
  `AGE-SECRET-KEY-1${some(58, "ABCDEFGH23")}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${some(64)}\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${some(64)}`,
];

for (const key of keys)
  test(`a key like ${key.slice(0, 12)}… is hidden, in a sentence and in JSON`, () => {
    assert.equal(hideKeys(`Use ${key}`), "Use [redacted]");
    const json = hideKeys(JSON.stringify({ key }));
    assert.ok(!json.includes(key.slice(-12)), json);
  });

const mixed = `a1/${some(37)}`;
const around: readonly (readonly [string, string])[] = [
  [`Authorization: Bearer ${some(20)}`, "Authorization: Bearer [redacted]"],
  [`Authorization: Basic ${some(24)}==`, "Authorization: Basic [redacted]"],
  ["postgres://app:s3cret!pass@db.internal:5432/app", "postgres://app:[redacted]@db.internal:5432/app"],
  ["https://:hunter22@example.org/", "https://:[redacted]@example.org/"],
  ["mysql://root:p@ss:w@rd@db/x", "mysql://root:[redacted]@db/x"],
  ['{"url":"http://a:b@c","mail":"d@e"}', '{"url":"http://a:[redacted]@c","mail":"d@e"}'],
  [`authorization: bearer ${some(20)}`, "authorization: bearer [redacted]"],
  [`aws_secret_access_key = ${mixed}`, "aws_secret_access_key = [redacted]"],
  [`curl "https://example.org/v1?api_key=${mixed}&x=1"`, 'curl "https://example.org/v1?api_key=[redacted]&x=1"'],
  [`{"access_token":"${mixed}","n":1}`, '{"access_token":"[redacted]","n":1}'],
  [JSON.stringify(`{"clientSecret": "${mixed}"}`), JSON.stringify('{"clientSecret": "[redacted]"}')],
  [`PASSWORD='${mixed}'`, "PASSWORD='[redacted]'"],
  [`https://hooks.slack.com/services/${some(44)}`, "https://hooks.slack.com/services/[redacted]"],
  [`AccountName=a;AccountKey=${some(86)}==;Suffix=b`, "AccountName=a;AccountKey=[redacted];Suffix=b"],
];

for (const [text, shown] of around)
  test(`of ${text.slice(0, 30)}… only the secret is hidden`, () => assert.equal(hideKeys(text), shown));

const plain: readonly string[] = [
  `commit ${hex(40)}`,
  "550e8400-e29b-41d4-a716-446655440000",
  `sha256-${some(43)}=`,
  "const token = await getToken(user.apiKey);",
  "const apiKey = readTheKeyOfTheUser1FromDisk(user);",
  "password: process.env.THE_PASSWORD_OF_USER_1,",
  "accessToken: defaultAccessTokenOfTheTests",
  "api_key: 2026-11-16",
  "https://example.org:8080/path@2/x",
  "see user@example.org: it is fine",
  "git@github.com:owner/repo.git",
  "sk-short, pk-1, xoxo-hugs",
  "task-2@2/dispatch:fix#1",
  "http://localhost:3000/a?b=c",
  'keys.pem has "-----BEGIN RSA PRIVATE KEY-----" in it.\n\n```superteam-json\n{ "passed": false }\n```',
  "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
  "Basic authentication, Bearer tokens",
  "superteam-workflow-2026-11-16-a-rather-long-name-of-a-run",
];

for (const text of plain) test(`${text.slice(0, 40)} stays as it is`, () => assert.equal(hideKeys(text), text));

test("values of variables that are named like secrets are taken out, the longest first", () => {
  const redact = redactor({ A_KEY: "abcdefgh", B_TOKEN: "abcdefghijkl", PATH: "/usr/bin:/bin", SHORT_KEY: "abc" });
  assert.equal(redact("abcdefghijkl abcdefgh abc /usr/bin:/bin"), "[redacted] [redacted] abc /usr/bin:/bin");
});

test("what looks like a key is taken out without being known", () => {
  assert.equal(redactor({})(`key sk-${"a1B2".repeat(6)}!`), "key [redacted]!");
});

test("what is named like a secret but is a path stays readable", () => {
  assert.equal(redactor({ SSH_AUTH_SOCK: "/run/agent.sock" })("/run/agent.sock"), "/run/agent.sock");
});
