export { downloadHistory as GET } from "@/lib/psu/permissions-csv";
