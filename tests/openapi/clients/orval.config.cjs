// Functions around fetch; the address of the service is written into them. Each member is a project of orval's.
module.exports = {
    service: {
        input: process.env.DOCUMENT,
        output: { target: process.env.GENERATED, client: 'fetch', baseUrl: process.env.BASE_URL },
    },
};
