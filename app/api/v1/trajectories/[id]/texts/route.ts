import { forProject, readText } from "@/app/api/v1/reads";

export const GET = readText(forProject);
