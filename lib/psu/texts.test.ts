import { describe, expect, it } from "vitest";
import { endedReason, endedReasons, endPages } from "./pages";
import { saidIn } from "./testing/rendered";
import { english } from "./texts/en";
import { languages } from "./texts/formats";
import { romanian } from "./texts/ro";
import { textsFor } from "./texts/texts-for";

/** What is written alike in both languages. */
const ALIKE: readonly string[] = ["title"];

const ofRomanian = saidIn(romanian);
const both = [...saidIn(english)]
  .filter(([place]) => place !== "lang")
  .map(([place, inEnglish]) => [place, inEnglish, String(ofRomanian.get(place))] as const);

describe("the texts of both languages", () => {
  it.each(languages)("%s: has every text, under its own language", (language) => {
    const texts = textsFor(language);
    expect(texts.lang).toBe(language);
    expect([...saidIn(texts).keys()].sort()).toEqual([...saidIn(english).keys()].sort());
    expect(Object.keys(texts.ends).sort()).toEqual([...endPages].sort());
    const alone = [...endedReasons, "unavailable", "not-found", "nothing-here"];
    expect(Object.keys(texts.alone).sort()).toEqual(alone.sort());
  });

  it("say something everywhere", () => {
    const silent = both.filter((texts) => texts.some((text) => !/\S/.test(text)));
    expect(silent).toEqual([]);
  });

  it("say nothing alike that is not known to be", () => {
    const alike = both.filter(([, inEnglish, inRomanian]) => inEnglish === inRomanian);
    expect(alike.map(([place]) => place)).toEqual(ALIKE);
  });

  it("count in the singular where there is one", () => {
    const plural = /\b1 (minutes|seconds|days|accounts|passkeys|tries)\b/;
    expect(both.filter(([, inEnglish]) => plural.test(inEnglish))).toEqual([]);
    expect(english.frame.inactivity(1)).toBe("After 1 minute without activity you sign in again.");
    expect(english.summary.transactions(1, 1)).toMatch(/the last day, .* first minute also/);
  });

  it("speak of a code only where the bank offers one, whichever means it has chosen", () => {
    const { login, alone, outcomes, passkey, passkeys } = english;
    const { codeHint: _, sendCode: _button, ...always } = passkey;
    const said = [login.lead.PIS(), login.lead.PIIS(english.quoted("TPP")), alone.fault.lead];
    const all = [...said, outcomes["passkey-missing"](), ...Object.values(always)];
    expect(all.filter((text) => /code/i.test(text))).toEqual([]);
    for (const { outcomes: of, approval } of [english, romanian]) {
      const ofApp = [of["too-many-codes"](), of["too-many-texts"](), of.changed(), approval.noMore];
      expect(ofApp.filter((text) => /code|\bcod/i.test(text))).toEqual([]);
    }
    const leads = [["passkey", "code"], ["passkey"], ["passkey", "oidc"]] as const;
    expect(leads.map((means) => passkeys.removing("My phone", means).lead)).toEqual([
      "Nothing can be confirmed with it from then on. Without another passkey you confirm with a code by text message.",
      "Nothing can be confirmed with it from then on. Without another passkey you can confirm nothing.",
      "Nothing can be confirmed with it from then on.",
    ]);
  });

  it("do not say what has become of a request once its time is over: another tab may have confirmed it", () => {
    expect([english.timeLimit.request.over, romanian.timeLimit.request.over]).toEqual([
      "The time for this request is over.",
      "Timpul pentru această cerere a trecut.",
    ]);
  });

  it("RTS 4(4): warn before the last try, and of a block that only the bank lifts", () => {
    const bank = { bankName: "Drawbridge Bank", blockMinutes: 15 };
    for (const { outcomes: said } of [english, english.signIn]) {
      expect(said["wrong-code"](1, bank)).toMatch(/next time until you call the bank/);
    }
    for (const { outcomes: said } of [romanian, romanian.signIn]) {
      expect(said["wrong-code"](1, bank)).toMatch(/următoare până când sunați la bancă/);
      expect(said["wrong-credentials"](1, bank)).toMatch(/blocată pentru o vreme\.$/);
    }
    expect(english.outcomes["wrong-code"](1)).toMatch(/One try is left/);
    expect(english.outcomes["wrong-credentials"](2)).toMatch(/2 tries are left/);
    expect(romanian.outcomes["wrong-code"](1)).toMatch(/V-a mai rămas o încercare\./);
    expect(romanian.outcomes["wrong-credentials"](2)).toMatch(/V-au mai rămas 2 încercări/);
  });
});

describe("no text is longer than the layout bears", () => {
  it.each([
    ["on a button", /submit$|cancel$|newCode$|sendFirst$|tryAgain$/, 24],
    ["at a field or a term", /userId|[a-z]assword$|label$|legend$|^(payment|funds)\.[a-z]+$/, 60],
    ["in a heading", /heading/i, 60],
    // Three parts of a message whose letters are not those of GSM 7 bit.
    ["on the phone", /^codeMessage/, 3 * 67],
    ["anywhere", /./, 480],
  ])("%s", (_where, places, charactersMax) => {
    const there = both.filter(([place]) => places.test(place) && !/\.consequences/.test(place));
    expect(there.length).toBeGreaterThan(3);
    const long = there.filter(([, ...said]) => said.some((text) => text.length > charactersMax));
    expect(long).toEqual([]);
  });
});

describe("Romanian", () => {
  const said = both.map(([, , inRomanian]) => inRomanian);
  const tpp = romanian.quoted("TPP");

  it("is written with ș and ț with a comma, and with „ and ”", () => {
    expect(said.filter((text) => text !== text.normalize("NFC"))).toEqual([]);
    expect(said.filter((text) => /[şţŞŢ“'"]/u.test(text))).toEqual([]);
    expect(said.join(" ")).toMatch(/ș.*ț|ț.*ș/u);
  });

  it("has no word of English, and no „tu”", () => {
    const english = /(?<!\p{L})(the|you|your|and|of|account|code|link|login|click)(?!\p{L})/iu;
    expect(said.filter((text) => english.test(text))).toEqual([]);
    expect(
      said.filter((text) => /(?<!\p{L})(tu|tău|ta|tale|îți|te)(?!\p{L})/iu.test(text)),
    ).toEqual([]);
  });

  it("calls a TPP a furnizor everywhere", () => {
    expect(said.filter((text) => /prestator/i.test(text))).toEqual([]);
  });

  it("calls a payment by no masculine word, and nothing past that is still in force", () => {
    const { shown, states, labels, revoke } = romanian.permissions;
    const ofAll = [shown.past, states["never-confirmed"], labels.requested, labels.ended];
    expect(ofAll.filter((text) => /nu mai|confirmat\b|cerut\b|încheiat\b/i.test(text))).toEqual([]);
    expect(Object.values(revoke.lead).map((lead) => lead(tpp).slice(0, 17))).toEqual(
      Array(2).fill("De atunci înainte"),
    );
  });

  it("counts: 1 cont, 2 conturi, 19 conturi, 20 de conturi, 101 conturi, 120 de conturi", () => {
    const counted = [1, 2, 19, 20, 101, 120].map((count) => romanian.summary.heading(tpp, count));
    expect(counted).toEqual(
      ["1 cont", "2 conturi", "19 conturi", "20 de conturi", "101 conturi", "120 de conturi"].map(
        (accounts) => `Dați acces la ${accounts} pentru „TPP”`,
      ),
    );
    expect(romanian.summary.perDay(tpp, 1)).toContain("cel mult o dată în 24 de ore");
    expect(romanian.summary.perDay(tpp, 4)).toContain("cel mult de 4 ori în 24 de ore");
    expect(romanian.summary.transactions(90, 10)).toContain("ultimele 90 de zile");
    expect(romanian.summary.transactions(1, 1)).toMatch(/ultima zi.*primul minut/);
  });
});

describe("the reason of an ended request", () => {
  it("is one of the closed list", () => {
    expect(endedReasons.map(endedReason)).toEqual(endedReasons);
  });
  it.each([undefined, "", "<script>", "constructor", ["fault"]])(
    "%j says no more than gone",
    (text) => {
      expect(endedReason(text)).toBe("gone");
    },
  );
});
