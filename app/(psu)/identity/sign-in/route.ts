export { leadToOwnSignIn as GET } from "@/lib/psu/answers/provider";
