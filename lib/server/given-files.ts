import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { SettingError } from "@/lib/config";
import { readAnchors } from "@/lib/eidas/read-anchors";
import type { Tls } from "./listeners";

/** Files that settings name are tried at the start; the first TPP should not be the one to find out. */
export async function checkTrustAnchors(
  file: string,
  { listSigners, now }: { readonly listSigners: string | undefined; readonly now: Date },
): Promise<void> {
  const text = await readSetting("TRUST_ANCHORS", file);
  const listSignersPem = listSigners && (await readSetting("TRUSTED_LIST_SIGNERS", listSigners));
  try {
    readAnchors({ text, listSignersPem, now });
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unreadable";
    throw new SettingError(`TRUST_ANCHORS: ${file} is unfit: ${reason}`);
  }
}

export async function checkSigningKey(file: string): Promise<void> {
  const pem = await readSetting("TOKEN_SIGNING_KEY", file);
  const fault = `TOKEN_SIGNING_KEY: ${file} holds no EC P-256 private key`;
  const key = orElse(fault, () => createPrivateKey(pem));
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") throw new SettingError(fault);
}

export async function readTls(certFile: string, keyFile: string): Promise<Tls> {
  const cert = await readSetting("XS2A_TLS_CERT", certFile);
  const key = await readSetting("XS2A_TLS_KEY", keyFile);
  const fault = "XS2A_TLS_CERT, XS2A_TLS_KEY: not a PEM certificate and its private key";
  orElse(fault, () => createSecureContext({ cert, key }));
  return { cert, key };
}

async function readSetting(setting: string, file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new SettingError(`${setting}: ${file} cannot be read (${error.code})`);
  });
}

function orElse<Value>(fault: string, make: () => Value): Value {
  try {
    return make();
  } catch {
    throw new SettingError(fault);
  }
}
