import { description } from "../../../routes";

export const dynamic = "force-dynamic";

// Of how the API works, and of nobody's data.
export const GET = () =>
  new Response(description(), { headers: { "content-type": "application/json" } });
