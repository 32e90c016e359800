/**
 * What becomes of a changelog (Keep a Changelog) when what is unreleased is released: the changelog, and the notes of the
 * release, which are its section. Throws when there is nothing to release, or not a version after the last one.
 */
export function released(changelog: string, version: string, date: string) {
  const [, before = "", notes = "", after = ""] =
    /^([\s\S]*?\n## Unreleased\n)([\s\S]*?)(?=\n## |$(?![\s\S]))([\s\S]*)$/.exec(changelog) ?? [];
  if (notes.trim() === "") throw new Error("CHANGELOG.md: nothing stands below Unreleased");
  const [, last = "0.0.0"] = /^\n## (\d+\.\d+\.\d+) /.exec(after) ?? [];
  if (!isAfter(version, last)) throw new Error(`${version} is no version after ${last}`);
  return {
    changelog: `${before}\n## ${version} - ${date}\n${notes}${after}`,
    notes: `${notes.trim()}\n`,
  };
}

function isAfter(version: string, last: string): boolean {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) return false;
  return version.localeCompare(last, "en", { numeric: true }) > 0;
}
