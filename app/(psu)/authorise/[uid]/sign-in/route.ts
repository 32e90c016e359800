import { atProvider, leadToSignIn } from "@/lib/psu/answers/identity-provider";

export const GET = atProvider(leadToSignIn);
