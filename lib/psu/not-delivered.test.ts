import { describe, expect, it } from "vitest";
import { browser } from "./testing/browser";
import { desk, fundsDesk, paymentDesk } from "./testing/desk";
import { buttons, html, textOf } from "./testing/rendered";

/** At the page with the code, whose gateway does not answer. */
const desks = {
  consent: async () => {
    const ours = await desk();
    ours.bank.delivers = false;
    const psu = browser(ours);
    await psu.signIn();
    return { ours, psu, shown: await psu.choose("current") };
  },
  payment: async () => signedIn(paymentDesk()),
  funds: async () => signedIn(fundsDesk()),
};

async function signedIn(ours: ReturnType<typeof paymentDesk> | ReturnType<typeof fundsDesk>) {
  ours.bank.delivers = false;
  const psu = browser(ours);
  return { ours, psu, shown: await psu.signIn() };
}

describe.each(Object.entries(desks))("a text message that went nowhere: %s", (_kind, at) => {
  it("is said plainly, with a way to another and the way back", async () => {
    const { shown } = await at();
    const page = html(shown);
    expect(shown).toMatchObject({ outcome: { outcome: "not-delivered" } });
    expect(textOf(page)).toContain("The text message could not be sent. This is our fault");
    expect(buttons(page)).toEqual(["Send code", "Cancel"]);
  });

  it("is not spoken of as sent when the page is loaded again", async () => {
    const { psu } = await at();
    const page = textOf(html(await psu.look()));
    expect(page).not.toContain("sent by text message");
    expect(page).toContain("Confirm with a code");
  });

  it("once the gateway is back, a code comes and confirms", async () => {
    const { ours, psu } = await at();
    ours.bank.delivers = true;
    await psu.send("code");
    const page = html(await psu.look());
    expect(buttons(page)).toEqual(["Send a new code", "Confirm", "Cancel"]);
    await psu.send("confirm", [["code", psu.lastCode()]]);
    expect(ours.authorisation().scaStatus).toBe("finalised");
  });

  it("as it stays down, in the end only the way back is left", async () => {
    const { ours, psu } = await at();
    for (let tries = 0; tries < 12; tries += 1) await psu.send("code");
    const page = html(await psu.look());
    expect(buttons(page)).toEqual(["Cancel"]);
    expect(textOf(page)).toContain("No more codes can be sent");
    const left = await psu.send("cancel");
    expect(left.headers.get("location")).toContain("error=access_denied");
    expect(ours.authorisation().failedBecause).toBe("cancelled");
  });
});
