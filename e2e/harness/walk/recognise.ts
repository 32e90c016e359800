import type { ResourceKind } from "@/lib/domain/authorisation";
import { aspspProfile } from "@/lib/domain/bank-profile";
import { type EndPage, endPages } from "@/lib/psu/pages";
import { languageNames, languageOf } from "@/lib/psu/texts/formats";
import { textsFor } from "@/lib/psu/texts/texts-for";
import type { Texts } from "@/lib/psu/texts/types";
import type { Reading } from "./reading";
import type { Question, Sight } from "./world";

export type Place = Exclude<Sight["at"], "tpp">;
export type About = { readonly tppName: string; readonly kind: ResourceKind };

/** As many accounts as anybody in a walk has. */
const COUNTS = [1, 2];
const isEnd = (at: Place): at is EndPage => endPages.some((page) => page === at);

/** What is not as every page of an authorisation has to be: none is well. */
export function pageFaults(reading: Reading, expected: Place, about: About): readonly string[] {
  const language = languageOf(reading.lang);
  if (language === undefined) return [`a page in no language (${reading.lang}): ${reading.text}`];
  const texts = textsFor(language);
  const [heading, ...more] = reading.headings;
  if (heading === undefined || more.length > 0) {
    return [`a page with ${reading.headings.length} headings: ${reading.text.slice(0, 200)}`];
  }
  if (!headingsOf(expected, texts, about).some((wanted) => plain(wanted) === heading)) {
    return [`"${heading}" instead of ${expected}`];
  }
  const titled = reading.title.includes(heading) ? [] : [`the title is ${reading.title}`];
  return [...titled, ...wayFaults(reading, expected, texts, about)];
}

function headingsOf(at: Place, texts: Texts, { tppName, kind }: About): readonly string[] {
  if (isEnd(at)) return [texts.ends[at].heading];
  switch (at) {
    case "login":
      return [texts.login.heading(aspspProfile.name)];
    case "login-again":
      return [texts.loginAgain.heading];
    case "not-yours":
      return [texts.notYours.heading];
    case "accounts":
      return [texts.accounts.heading];
    case "gone":
      return [texts.alone.gone.heading];
    case "confirm":
      return kind === "AIS"
        ? COUNTS.map((count) => texts.summary.heading(texts.quoted(tppName), count))
        : [kind === "PIIS" ? texts.funds.heading(texts.quoted(tppName)) : paymentHeading(texts)];
  }
}

/** The one payment of the walks. */
function paymentHeading(texts: Texts): string {
  const amount = { currency: "RON", minorUnits: 100n };
  return texts.payment.heading(
    amount as Parameters<typeof texts.payment.heading>[0],
    texts.quoted("Popescu Grafic SRL"),
  );
}

/** Exactly one way on and one way back to the TPP; at the end a way back, or words on what to do. */
function wayFaults(reading: Reading, at: Place, texts: Texts, about: About): readonly string[] {
  const { cancel, backTo } = texts.frame;
  const counted = (...names: readonly string[]) =>
    reading.buttons.filter((name) => names.some((wanted) => plain(wanted) === name)).length;
  const back = counted(cancel, backTo(texts.quoted(about.tppName)));
  const on = waysOn(at, reading, texts);
  const ways = `${at} has the buttons ${reading.buttons.join(", ")}`;
  if (at === "gone") {
    const told = reading.text.includes(plain(texts.alone.gone.lead));
    return told && back === 0 ? [] : [`${ways}, and says ${reading.text}`];
  }
  if (isEnd(at)) {
    const lead = plain(texts.ends[at].lead(ended(texts, about)));
    const others = reading.buttons.length - back - languages(reading);
    const told = reading.text.includes(lead);
    return told && back === 1 && others === 0 ? [] : [`${ways}, and says ${reading.text}`];
  }
  return back === 1 && on.some((count) => count === 1) && on.every((count) => count <= 1)
    ? []
    : [ways];
}

function ended({ quoted }: Texts, { tppName, kind }: About) {
  const { name, sca } = aspspProfile;
  return { kind, tpp: quoted(tppName), bankName: name, blockMinutes: sca.blockMinutes };
}

/** How often each button is there that would do. */
function waysOn(at: Place, { buttons }: Reading, { login, accounts, code, passkey }: Texts) {
  const names: Readonly<Record<Question, readonly string[]>> = {
    login: [login.submit],
    "login-again": [login.submit],
    "not-yours": [login.submit],
    accounts: [accounts.submit],
    confirm: [code.submit, code.sendFirst, passkey.submit, passkey.sendCode],
  };
  const wanted = at in names ? names[at as Question] : [];
  return wanted.map((name) => buttons.filter((button) => button === name).length);
}

function languages({ buttons }: Reading): number {
  const names: readonly string[] = Object.values(languageNames);
  return buttons.filter((button) => names.includes(button)).length;
}

/** Texts have narrow and unbreakable blanks, which a reader does not tell apart. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
