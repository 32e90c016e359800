import { describe, expect, it } from "vitest";
import { changed, entriesIn, euro, november, october } from "./testing";

describe("entry references", () => {
  const bare = (text: string) => text.replace(/<(AcctSvcrRef|NtryRef)>[^<]*<\/\1>/g, "");

  it("NtryRef counts where the bank gives no AcctSvcrRef", () => {
    const text = october.replace(/<AcctSvcrRef>[^<]*<\/AcctSvcrRef>/g, "");
    expect(entriesIn(text).map(({ reference }) => reference)).toContain("4/2");
  });

  it("within a batch are their own only where they differ, else those of the batch, counted", () => {
    const same = changed(euro, "X309-1-B", "X309-1-A");
    const references = entriesIn(same).map(({ reference }) => reference);
    expect(references).toEqual(["2026-309-1/1", "2026-309-1/2", "2026-309-2"]);
  });

  it("of a batch that would get too long by counting are made from the content", () => {
    const text = changed(october, "XM20261012000308", "X".repeat(35));
    const [one, other] = entriesIn(text).slice(3, 5);
    expect(one?.reference).toMatch(/^CAMT[0-9a-f]{31}$/);
    expect(other?.reference).toMatch(/^CAMT[0-9a-f]{31}$/);
    expect(one?.reference).not.toBe(other?.reference);
  });

  it("an entry without one gets the same in every statement that has its day", () => {
    const made = entriesIn(bare(november)).map(({ reference }) => reference);
    expect(new Set(made).size).toBe(5);
    for (const reference of made) expect(reference).toMatch(/^CAMT[0-9a-f]{31}$/);
    const before = entriesIn(bare(october)).map(({ reference }) => reference);
    expect(made.filter((reference) => before.includes(reference))).toHaveLength(2);
  });

  it("two entries that say the same are two", () => {
    const [entry = ""] =
      /<Ntry>(?:(?!<\/Ntry>)[\s\S])*Internet Rapid[\s\S]*?<\/Ntry>/.exec(november) ?? [];
    const last = entry.slice(entry.lastIndexOf("<Ntry>"));
    const twice = changed(november, last, last + last)
      .replace("7389.36", "7344.36")
      .replace(/<TxsSummry>[\s\S]*<\/TxsSummry>/, "");
    const references = entriesIn(twice).map(({ reference }) => reference);
    expect(new Set(references).size).toBe(6);
  });
});
