import { spawn } from "node:child_process";
import { once } from "node:events";
import { http, oauth, seal, type Token, type Xs2a, xs2a } from "@/clients/typescript/src";
import { clientId, ownCertificates, readCertificates } from "./certificates";
import { dataDirectory, sandboxTime, webUrl, xs2aUrl } from "./environment";
import { saveRefused } from "./raw-request";
import { redirectListener } from "./redirect-listener";

/** The options of every command that needs a PSU, for parseArgs. */
export const sessionOptions = {
  xs2a: { type: "string" },
  certificates: { type: "string" },
  save: { type: "string" },
} as const;

export const sessionHelp = `  --xs2a URL          the bank's TPP host; default XS2A_URL or https://localhost:8443
  --certificates DIR  qwac.pem, qwac.key, qseal.pem, qseal.key, ca.pem; default DATA_DIR/tpp, where
                      the sandbox CA makes them when they are missing
  --save FILE         writes a request that the bank refuses into FILE, for "npm run tpp -- explain"
`;

type SessionValues = {
  readonly xs2a?: string;
  readonly certificates?: string;
  readonly save?: string;
};

/** A connection to the bank, and a place for the PSU's browser to come back to. */
export type PsuSession = {
  readonly bank: Xs2a;
  readonly redirectUri: string;
  /** The time that calls are signed with. */
  readonly now: () => Date;
  /**
   * Prints the address at which the PSU authorises the resource, opens it where there is a browser, and
   * waits. Throws AuthorisationRefused when the PSU does not agree.
   */
  readonly authorised: (resource: Resource) => Promise<Token>;
};

type Resource = {
  /** e.g. `AIS:<consentId>`. */
  readonly scope: string;
  /** The `scaOAuth` link of the answer. */
  readonly scaOAuth: string;
  /** e.g. `Consent 123 is created`. */
  readonly told: string;
};

/** As long as the bank gives a PSU, and a little more. */
const PATIENCE = 16 * 60_000;

/** Whatever becomes of it, connection and listener are closed afterwards. */
export async function withPsu<Result>(
  values: SessionValues,
  act: (session: PsuSession) => Promise<Result>,
): Promise<Result> {
  const { certificates: directory, save } = values;
  const certificates =
    directory === undefined
      ? await ownCertificates(dataDirectory())
      : await readCertificates(directory);
  const connection = http({
    certificate: certificates.qwac,
    ca: certificates.ca,
    ...(save !== undefined && { onExchange: saveRefused(save, certificates.qwac.pem) }),
  });
  // A bank whose pages are https is no sandbox of this machine, and takes https alone.
  const isHttps = webUrl().startsWith("https:");
  const listener = await redirectListener(0, isHttps ? certificates.qwac : undefined);
  const redirectUri = `${listener.origin}/callback`;
  // Where the bank is named and its host for browsers is not, that may be another bank's than this machine's sandbox.
  const { XS2A_URL, WEB_URL } = process.env;
  const isOwnSandbox = values.xs2a === undefined && (!XS2A_URL || WEB_URL !== undefined);
  const now = isOwnSandbox ? await sandboxTime() : () => new Date();
  const bank = xs2a({
    url: values.xs2a ?? xs2aUrl(),
    http: connection,
    seal: seal(certificates.qseal.pem, certificates.qseal.key),
    // The PSU's browser runs on this machine.
    psuIpAddress: "127.0.0.1",
    now,
  });

  async function authorised({ scope, scaOAuth, told }: Resource): Promise<Token> {
    const server = await oauth(scaOAuth, clientId(certificates), connection);
    const authorisation = server.authorise(scope, redirectUri);
    console.log(`${told}. The PSU authorises it here:\n\n${authorisation.url.href}\n`);
    const isTerminal = process.stdout.isTTY === true;
    await openInBrowser(authorisation.url, { env: process.env, isTerminal });
    return server.token(await listener.next(PATIENCE), authorisation);
  }

  try {
    return await act({ bank, redirectUri, now, authorised });
  } finally {
    await Promise.all([listener.close(), connection.close()]);
  }
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  // `start` is a word of the shell and would read `&` in the address as the end of a command.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
};

/** Opens the address in the person's browser; false where there is none to be expected. */
async function openInBrowser(
  address: URL,
  { env, isTerminal }: { readonly env: NodeJS.ProcessEnv; readonly isTerminal: boolean },
): Promise<boolean> {
  const opener = OPENERS[process.platform];
  if (opener === undefined || env["CI"] !== undefined || !isTerminal) return false;
  const [command, ...first] = opener;
  const child = spawn(command, [...first, address.href], { stdio: "ignore", detached: true });
  child.unref();
  return Promise.race([
    once(child, "spawn").then(() => true),
    once(child, "error").then(() => false),
  ]).catch(() => false);
}
