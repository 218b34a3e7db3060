/* SPDX-License-Identifier: Apache-2.0
 *
 * The library behind C. A value's type is known when a message's kind is: the rest is one template.
 */
#include "reference/thrift_cpp.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include "TCLIService.h"

using apache::thrift::TConfiguration;
using apache::thrift::protocol::TBinaryProtocol;
using apache::thrift::protocol::TMessageType;
using apache::thrift::transport::TMemoryBuffer;

struct thrift_cpp {
  public:
    virtual ~thrift_cpp() = default;
    virtual void decode(struct pb_bytes message) = 0;
    virtual void encode(struct pb_bytes *bytes) = 0;

    std::string &error()
    {
        return error_;
    }

    const std::string &error() const
    {
        return error_;
    }

  private:
    std::string error_;
};

namespace
{

/* Above every message here; the library's own limit is 100 MiB. */
constexpr int max_message_bytes = 1 << 30;

/*
 * The library gives a new OpenSession the protocol that is its preset, and the driver takes it out
 * again, as its messages show.
 */
void take_out_presets(tcli::TCLIService_OpenSession_args &value)
{
    value.req.__isset.client_protocol = false;
}

template <class Value> void take_out_presets(Value &)
{
}

template <class Value> class Kind final : public thrift_cpp
{
  public:
    Kind()
        : configuration_(std::make_shared<TConfiguration>(max_message_bytes, max_message_bytes)),
          input_(std::make_shared<TMemoryBuffer>(configuration_)),
          output_(std::make_shared<TMemoryBuffer>(configuration_)), reader_(input_),
          writer_(output_)
    {
    }

    void decode(struct pb_bytes message) override
    {
        /* Observing: the buffer is read where it lies. */
        input_->resetBuffer(static_cast<uint8_t *>(const_cast<void *>(message.data)),
                            static_cast<uint32_t>(message.size), TMemoryBuffer::OBSERVE);
        value_ = std::make_unique<Value>();
        reader_.readMessageBegin(name_, type_, sequence_);
        take_out_presets(*value_);
        value_->read(&reader_);
        reader_.readMessageEnd();
    }

    void encode(struct pb_bytes *bytes) override
    {
        uint8_t *data = nullptr;
        uint32_t size = 0;
        output_->resetBuffer();
        writer_.writeMessageBegin(name_, type_, sequence_);
        value_->write(&writer_);
        writer_.writeMessageEnd();
        output_->getBuffer(&data, &size);
        *bytes = pb_bytes{data, size};
    }

  private:
    std::shared_ptr<TConfiguration> configuration_;
    std::shared_ptr<TMemoryBuffer> input_;
    std::shared_ptr<TMemoryBuffer> output_;
    TBinaryProtocol reader_;
    TBinaryProtocol writer_;
    std::unique_ptr<Value> value_ = std::make_unique<Value>();
    std::string name_;
    TMessageType type_ = apache::thrift::protocol::T_REPLY;
    int32_t sequence_ = 0;
};

template <class Args, class Result> thrift_cpp *make(bool call)
{
    return call ? static_cast<thrift_cpp *>(new Kind<Args>) : new Kind<Result>;
}

thrift_cpp *make_kind(const std::string &method, bool call)
{
    using namespace tcli;
    if (method == "OpenSession") {
        return make<TCLIService_OpenSession_args, TCLIService_OpenSession_result>(call);
    }
    if (method == "ExecuteStatement") {
        return make<TCLIService_ExecuteStatement_args, TCLIService_ExecuteStatement_result>(call);
    }
    if (method == "GetTables") {
        return make<TCLIService_GetTables_args, TCLIService_GetTables_result>(call);
    }
    if (method == "GetColumns") {
        return make<TCLIService_GetColumns_args, TCLIService_GetColumns_result>(call);
    }
    if (method == "FetchResults") {
        return make<TCLIService_FetchResults_args, TCLIService_FetchResults_result>(call);
    }
    throw std::runtime_error("no method " + method);
}

thrift_cpp *make_for(struct pb_bytes message)
{
    auto input =
        std::make_shared<TMemoryBuffer>(static_cast<uint8_t *>(const_cast<void *>(message.data)),
                                        static_cast<uint32_t>(message.size));
    TBinaryProtocol reader(input);
    std::string name;
    TMessageType type;
    int32_t sequence;
    reader.readMessageBegin(name, type, sequence);
    return make_kind(name, type == apache::thrift::protocol::T_CALL);
}

template <class Work> int guarded(std::string &error, Work work)
{
    try {
        work();
        return 0;
    } catch (const std::exception &caught) {
        error = caught.what();
    } catch (...) {
        error = "unknown exception";
    }
    return 1;
}

thrift_cpp *make_one(struct pb_bytes message, char *error, size_t error_size)
{
    thrift_cpp *made = nullptr;
    std::string reason;
    if (guarded(reason, [&] { made = make_for(message); }) != 0) {
        std::snprintf(error, error_size, "%s", reason.c_str());
    }
    return made;
}

void release(thrift_cpp *thrift)
{
    delete thrift;
}

int decode(thrift_cpp *thrift, struct pb_bytes message)
{
    return guarded(thrift->error(), [&] { thrift->decode(message); });
}

int encode(thrift_cpp *thrift, struct pb_bytes *bytes)
{
    return guarded(thrift->error(), [&] { thrift->encode(bytes); });
}

const char *error_of(const thrift_cpp *thrift)
{
    return thrift->error().c_str();
}

} // namespace

extern "C" __attribute__((visibility("default"))) thrift_cpp_function pairbench_thrift_cpp;

const struct thrift_cpp_api *pairbench_thrift_cpp()
{
    static const thrift_cpp_api api = {make_one, release, decode, encode, error_of};
    return &api;
}
