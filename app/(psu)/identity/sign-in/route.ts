export { leadToOwnSignIn as GET } from "@/lib/psu/answers/identity-provider";
