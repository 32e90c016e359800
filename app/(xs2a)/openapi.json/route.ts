import { api } from "../routes";

export const dynamic = "force-dynamic";

// Public documentation: whoever wants to know how to call needs no certificate yet.
export const GET = () =>
  new Response(api().text, { headers: { "content-type": "application/json" } });
