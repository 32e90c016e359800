import { expect, it } from "vitest";
import { released } from "./changelog";

const changelog = `# Changelog

## Unreleased

- A new thing
  in two lines.

### For a TPP

- Another.

## 0.9.0 - 2026-01-01

- An old thing.
`;

it("what stood below Unreleased becomes the section of the version, and its notes", () => {
  const { changelog: next, notes } = released(changelog, "0.10.0", "2026-02-03");
  expect(notes).toBe("- A new thing\n  in two lines.\n\n### For a TPP\n\n- Another.\n");
  expect(next).toBe(
    changelog.replace("## Unreleased\n", "## Unreleased\n\n## 0.10.0 - 2026-02-03\n"),
  );
  expect(() => released(next, "0.11.0", "2026-02-04")).toThrow("nothing stands below Unreleased");
});

it("a first release needs no earlier section", () => {
  const { notes } = released("# Changelog\n\n## Unreleased\n\n- All.\n", "0.1.0", "2026-02-03");
  expect(notes).toBe("- All.\n");
});

it.each(["0.9.0", "0.8.9", "0.10", "v0.10.0", "0.10.0-rc.1", "01.0.0"])(
  "%s is no version after 0.9.0",
  (version) => {
    expect(() => released(changelog, version, "2026-02-03")).toThrow("no version after 0.9.0");
  },
);
