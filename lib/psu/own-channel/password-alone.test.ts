import { describe, expect, it } from "vitest";
import { mayAddPasskey } from "@/lib/domain/passkeys/may-add-passkey";
import { authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import { seal } from "../sealed";
import { there } from "../testing/at-summary";
import { WEB_URL } from "../testing/desk";
import { ownBrowser } from "../testing/own-browser";
import { atPermissions } from "../testing/own-desk";
import { asBrowsersWrite } from "../testing/with-passkey";
import { download } from "./download";
import { type OwnAction, ownFormToken } from "./form-token";
import { permissionsCsv } from "./permissions-csv";

/** ana's thief: has her password and every form's token, and neither phone nor passkey. */
async function withPasswordAlone() {
  const known = await atPermissions();
  const { ours } = known;
  const { passkey } = await enrolled(ours.house, ana);
  const thief = ownBrowser(ours);
  await thief.typePassword();
  const { session } = await thief.visit();
  const { SESSION_SECRET: secret } = ours.house.config;
  const send = async (action: OwnAction, target?: string, fields = {}) => {
    const token = await ownFormToken({ secret, action, session, ...(target && { target }) });
    return thief.send(action, fields, { token, ...(target && { target }) });
  };
  return { ...known, passkey, thief, session, secret, send };
}

describe("P12: the password alone does nothing in the PSU's name, though a form's token were at hand:", () => {
  it("it ends no permission", async () => {
    const { ours, accounts, consentId, send } = await withPasswordAlone();
    expect(there(await send("revoke", accounts))).toBe(`/sign-in?to=/permissions/${accounts}`);
    expect(ours.bank.consents.get(consentId)?.status).toBe("valid");
  });

  it("it downloads nothing", async () => {
    const { ours, psu, thief } = await withPasswordAlone();
    const file = { name: "permissions.csv", page: "/permissions", fill: permissionsCsv };
    const fetched = (jar: typeof thief.jar) =>
      download(() => ours.house, new Request(WEB_URL, { headers: { cookie: jar.header() } }), file);
    const refused = await fetched(thief.jar);
    expect([there(refused), await refused.text()]).toEqual(["/sign-in?to=/permissions", ""]);
    const given = await fetched(psu.jar);
    expect(given.headers.get("content-disposition")).toContain("permissions.csv");
    expect(given.headers.get("cache-control")).toBe("no-store");
    expect(await given.text()).toContain("Example TPP");
  });

  it("it removes no passkey", async () => {
    const { ours, passkey, send } = await withPasswordAlone();
    expect(there(await send("remove-passkey", passkey.id))).toBe("/sign-in?to=/passkeys");
    expect(ours.bank.passkeys.get(passkey.id)?.removed).toBeUndefined();
  });

  it("it adds none, and is not told how to make one", async () => {
    const { ours, session, secret, send } = await withPasswordAlone();
    const asked = await send("passkey-options");
    expect([there(asked), await asked.text()]).toEqual(["/sign-in?to=/passkeys", ""]);
    if (!("signIn" in session)) throw new Error(session.state);
    const purpose = `new-passkey ${session.signIn.session}` as const;
    const challenge = "a challenge that was got somehow";
    const sealed = await seal(secret, purpose, { challenge }, 300);
    const assertion = asBrowsersWrite(authenticator().make(challenge));
    const answer = await send("add-passkey", undefined, { name: "Mine", sealed, assertion });
    expect(there(answer)).toBe("/sign-in?to=/passkeys");
    expect(ours.bank.passkeys.size).toBe(1);
    expect(mayAddPasskey(ours.house.profile, session.signIn, new Date(0))).toBe(false);
  });
});
