import { house } from "@/lib/composition";
import { openApi, type Routes } from "./document";
import type { OpenApi } from "./open-api";

export type Published = {
  readonly document: OpenApi;
  /** The same as JSON, byte for byte what everybody gets. */
  readonly text: string;
};

let made: Published | undefined;

/** The description of the API, made when it is first asked for and never while a TPP's call waits. */
export function published(routes: Routes): Published {
  made ??= publish(routes);
  return made;
}

function publish(routes: Routes): Published {
  const { config, profile, sandbox, links } = house();
  const bank = { profile, sandbox, xs2aUrl: config.XS2A_URL, metadata: links.scaOAuth };
  const document = openApi(routes, bank);
  return { document, text: JSON.stringify(document) };
}
