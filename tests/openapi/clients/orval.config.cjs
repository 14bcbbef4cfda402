// Makes functions around fetch that contain the address of the service. Each member is a project of orval.
module.exports = {
    service: {
        input: process.env.DOCUMENT,
        output: { target: process.env.GENERATED, client: 'fetch', baseUrl: process.env.BASE_URL },
    },
};
