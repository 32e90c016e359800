import { authenticator } from "@/lib/domain/testing/authenticator";
import { passkeysView, removePasskeyView } from "../own-channel/passkeys-view";
import { desk } from "./desk";
import { ownBrowser } from "./own-browser";
import { asBrowsersWrite } from "./with-passkey";

type OwnBrowser = ReturnType<typeof ownBrowser>;

/** ana at her passkeys, signed in a moment ago. */
export async function atPasskeys(language?: string) {
  const ours = await desk();
  const psu = ownBrowser(ours, language);
  await psu.signIn();
  return { ours, psu, ...enrolling(psu) };
}

/** What the page's script and the browser's prompt do. */
function enrolling(psu: OwnBrowser) {
  const look = async () => {
    const view = await psu.inside(passkeysView);
    if (view.page !== "passkeys") throw new Error(view.page);
    return view;
  };
  const asked = async () => {
    const answer = await psu.send("passkey-options", {}, { token: (await look()).optionsToken });
    return answer.json();
  };
  const add = async (fields: Readonly<Record<string, string>>) =>
    psu.send("add-passkey", { name: "Phone", ...fields }, { token: (await look()).addToken });
  const enrol = async (device = authenticator(), name = "Phone") => {
    const { options, sealed } = await asked();
    const assertion = asBrowsersWrite(device.make(options.challenge));
    await add({ name, sealed, assertion });
    return device;
  };
  const remove = async (id: string) => {
    const view = await psu.inside((visit) => removePasskeyView(visit, id));
    const token = view !== undefined && "token" in view ? view.token : "none";
    return psu.send("remove-passkey", {}, { target: id, token });
  };
  return { look, asked, add, enrol, remove };
}
