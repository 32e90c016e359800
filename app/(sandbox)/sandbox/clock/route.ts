import { serveClock } from "@/lib/sandbox/clock";
import { services } from "@/lib/services";

const serve = (request: Request): Promise<Response> => serveClock(services(), request);

/** Every method, so that Next answers none by itself: outside the sandbox nothing is there. */
export const GET = serve;
export const HEAD = serve;
export const PUT = serve;
export const DELETE = serve;
export const POST = serve;
export const PATCH = serve;
export const OPTIONS = serve;
