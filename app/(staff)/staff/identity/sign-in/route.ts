export { leadToProvider as GET } from "@/lib/staff/sign-in";
