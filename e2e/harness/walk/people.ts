import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import type { Page } from "@playwright/test";
import { eq, sql } from "drizzle-orm";
import { codeSecret } from "@/cli/bank/code-secret";
import { databaseUrl } from "@/cli/bank/database-url";
import {
  accountConsent,
  psuAttempts,
  psuPasskey,
  psuTextBudget,
  sandboxMessage,
} from "@/drizzle/schema/drawbridge";
import { readSettings } from "@/lib/config";
import { addAccount, addPsu, disown } from "@/lib/core-bank/ledger/testing";
import { fingerprintsOf } from "@/lib/core-bank/text-messages";
import type { PasskeyId } from "@/lib/domain/passkeys";
import { userKeys } from "@/lib/domain/psu-attempts";
import type { ConsentId, PsuId } from "@/lib/domain/values";
import { connect } from "@/lib/postgres/client";
import { ownIban } from "@/lib/sandbox/demo-bank-people";
import { onlyGiven } from "../only-given";
import type { ServerSettings } from "../server";
import type { FailureRow } from "./world";

/** Who walks: a customer with a sign-in and accounts of nobody else's. */
export type Walker = { readonly userId: string; readonly password: string; readonly iban: string };

export type People = Awaited<ReturnType<typeof people>>;

/** None of the demo customers: hundreds of wrong passwords need a user ID of their own. */
const FIRST_ACCOUNT = 9_000;
/** A hash that is quick to check, so that a walk is about pages and not about argon2. */
const QUICK = { memoryCost: 8, timeCost: 1, parallelism: 1 };
/** A million lei: no payment of a walk is too much. */
const OVERDRAFT = 100_000_000n;

/** Customers of the bank at these settings, put straight into its ledger; and its staff. */
export async function people({ dataDir, shared }: ServerSettings) {
  const env = { ...onlyGiven({ ...shared }), DATA_DIR: dataDir };
  const settings = readSettings(env);
  const secret = await codeSecret(settings);
  const { db, close } = connect(await databaseUrl(settings), { max: 2 });
  const keyOf = (userId: string) =>
    userKeys({ fingerprints: (text) => fingerprintsOf(text, secret) }, userId)[0];
  const ids = new Map<string, PsuId>();
  const idOf = (userId: string): PsuId => {
    const id = ids.get(userId);
    if (id === undefined) throw new Error(`nobody is called ${userId}`);
    return id;
  };

  async function add(userId: string): Promise<Walker> {
    const password = `${userId}-word`;
    const id = await addPsu(db, userId, userId, await hash(password, QUICK));
    const number = FIRST_ACCOUNT + 10 * ids.size;
    ids.set(userId, id);
    for (const more of [1, 2]) {
      const account = {
        name: `Account ${more}`,
        overdraftMinor: OVERDRAFT,
        position: number + more,
      };
      await addAccount(db, { [id]: "owner" }, { ...account, iban: ownIban(number + more) });
    }
    return { userId, password, iban: ownIban(number + 1) };
  }

  return {
    db,
    idOf,
    add,
    /** Newest first. */
    codesOf: async (userId: string): Promise<readonly string[]> => {
      const rows = await db
        .select({ code: sandboxMessage.code })
        .from(sandboxMessage)
        .where(eq(sandboxMessage.psuId, idOf(userId)))
        .orderBy(sandboxMessage.id);
      return rows.flatMap(({ code }) => (code === null ? [] : [code])).toReversed();
    },
    /** The bank's staff, called by the PSU. */
    unlock: async (userId: string): Promise<void> => {
      await db.delete(psuAttempts).where(eq(psuAttempts.userKey, keyOf(userId)));
    },
    rowOf: async (userId: string): Promise<FailureRow> => {
      const found = db.select().from(psuAttempts);
      const [row] = await found.where(eq(psuAttempts.userKey, keyOf(userId)));
      const { failures = 0, secondFailures = 0, lastAt } = row ?? {};
      return { count: failures, codes: secondFailures, lastAt: lastAt?.getTime() ?? 0 };
    },
    /** As after an hour without a text. */
    textsForgotten: async (userId: string): Promise<void> => {
      await db.delete(psuTextBudget).where(eq(psuTextBudget.psuId, idOf(userId)));
    },
    close,
  };
}

/** COSE_Key (RFC 9052) of ES256: what is before x, and what is between x and y. */
const BEFORE_X = Buffer.from("a5010203262001215820", "hex");
const BEFORE_Y = Buffer.from("225820", "hex");

/** A passkey in the tab's own device, as if it had been enrolled in the bank's own channel. */
export async function givePasskey({ db, idOf }: People, { userId }: Walker, page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credential = randomBytes(16);
  await cdp.send("WebAuthn.addCredential", {
    authenticatorId,
    credential: {
      credentialId: credential.toString("base64"),
      isResidentCredential: false,
      rpId: "localhost",
      privateKey: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
      signCount: 0,
    },
  });
  const { x, y } = publicKey.export({ format: "jwk" });
  const [atX, atY] = [x, y].map((part) => Buffer.from(String(part), "base64url"));
  if (atX === undefined || atY === undefined) throw new Error("a key without a point");
  await db.insert(psuPasskey).values({
    id: randomUUID() as string as PasskeyId,
    credentialId: credential.toString("base64url"),
    psuId: idOf(userId),
    publicKey: Buffer.concat([BEFORE_X, atX, BEFORE_Y, atY]).toString("base64url"),
    counter: 0,
    transports: ["internal"],
    name: "The tab's own",
    createdAt: new Date(),
  });
}

/** No account is this customer's any more. */
export async function accountsGone({ db, idOf }: People, userId: string): Promise<void> {
  await disown(db, idOf(userId));
}

/** What no statement of the bank writes: reading this consent fails. */
export async function consentBroken({ db }: People, consentId: string): Promise<void> {
  const isIt = eq(accountConsent.id, consentId as ConsentId);
  await db.update(accountConsent).set({ access: sql`'{}'::jsonb` }).where(isIt);
}
