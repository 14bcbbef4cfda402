// Functions around fetch; the address of the service is written into them. Each export is a project of orval's.
export const service = {
    input: process.env.DOCUMENT,
    output: { target: process.env.GENERATED, client: 'fetch', baseUrl: process.env.BASE_URL },
};
