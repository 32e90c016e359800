import { serveCrl } from "@/lib/sandbox/certificate-status";
import { services } from "@/lib/services";

export const GET = () => serveCrl(services());
