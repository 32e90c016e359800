import { house } from "@/lib/composition";
import { serveCrl } from "@/lib/sandbox/certificate-status/serve-status";

export const dynamic = "force-dynamic";

export const GET = () => serveCrl(house());
