export { downloadPermissions as GET } from "@/lib/psu/permissions-csv";
