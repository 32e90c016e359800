export { downloadTable as GET } from "@/lib/staff/downloads";
