import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { psuPasskey } from "@/drizzle/schema/drawbridge";
import type { PasskeyId } from "@/lib/domain/passkeys";
import type { People, Walker } from "./people";
import type { Tab } from "./tab";

/** COSE_Key (RFC 9052) of ES256: what is before x, and what is between x and y. */
const BEFORE_X = Buffer.from("a5010203262001215820", "hex");
const BEFORE_Y = Buffer.from("225820", "hex");

/** A passkey in the tab's own device, as if it had been enrolled in the bank's own channel. */
export async function givePasskey({ db, idOf }: People, { userId }: Walker, { page }: Tab) {
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
