import { atProvider, leadToSignIn } from "@/lib/psu/answers/provider";

export const GET = atProvider(leadToSignIn);
