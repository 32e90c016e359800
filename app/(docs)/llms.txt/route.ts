import { guideFiles, guidePath, isGuideName, readGuide } from "@/lib/guides";
import { services } from "@/lib/services";

/** The developer portal for language models, in the form of llmstxt.org. */
export function GET(): Response {
  const bank = services();
  const { config, profile, links } = bank;
  const guides = Object.keys(guideFiles)
    .filter(isGuideName)
    .map((name) => `- [${readGuide(name, bank).title}](${config.WEB_URL}${guidePath(name)})`);
  const lines = [
    `# ${profile.name}: access to accounts`,
    "",
    "> Account information, payments and confirmation of funds for third party providers (PSD2, NextGenPSD2 XS2A 1.3.12): mutual TLS with a QWAC, requests signed with a QSealC, the redirect approach with OAuth.",
    "",
    "## Guides",
    "",
    ...guides,
    "",
    "## Reference",
    "",
    `- [OpenAPI 3.1](${config.XS2A_URL}/openapi.json): every call, header and code, without a client certificate`,
    `- [Every call](${config.WEB_URL}/docs/reference): the same as a page`,
    `- [Error codes](${links.errors}): a page for each at ${links.errors}/CODE`,
    `- [Availability](${config.WEB_URL}/statistics): figures of each day`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
