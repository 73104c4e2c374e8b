// SPDX-License-Identifier: Apache-2.0
// LLVM through its C interface: the library is opened when the first code is made, not when the program starts
// (linking it would cost every command tens of milliseconds).
#include "liaison/compile/llvm_builder.hpp"

#include "liaison/base/assert.hpp"
#include "liaison/compile/link_table.hpp"
#include "liaison/compile/llvm_codegen.hpp"

#include <dlfcn.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace liaison::compile {
namespace {

// The functions used, each under its own name without the prefix LLVM.
// clang-format off
#define LIAISON_LLVM_FUNCTIONS(X)                                                                                     \
    X(AddAttributeAtIndex) X(AddFunction) X(AddIncoming) X(AddTargetDependentFunctionAttr) X(AppendBasicBlockInContext)     \
    X(BuildAdd) X(BuildAnd) X(BuildBitCast) X(BuildBr) X(BuildCall2) X(BuildCondBr) X(BuildExtractElement) X(BuildFAdd) X(BuildFCmp)            \
    X(BuildFDiv) X(BuildFMul) X(BuildFNeg) X(BuildFSub) X(BuildGEP2) X(BuildICmp) X(BuildInsertElement)               \
    X(BuildLShr) X(BuildLoad2) X(BuildMul) X(BuildNot) X(BuildOr) X(BuildPhi) X(BuildRetVoid) X(BuildSelect) X(BuildShl) X(BuildStore)        \
    X(BuildSub) X(BuildXor) X(ConstInt) X(ConstReal) X(ConstVector) X(ContextCreate) X(ContextDispose)                \
    X(CreateBuilderInContext) X(CreateEnumAttribute) X(CreateTargetDataLayout)            \
    X(CreateTargetMachine) X(DisposeBuilder) X(DisposeMemoryBuffer) X(DisposeMessage)          \
    X(DisposeModule) X(DisposeTargetData) X(DisposeTargetMachine) X(DoubleTypeInContext) \
    X(FunctionType) X(GetBufferSize) X(GetBufferStart) X(GetDefaultTargetTriple) X(GetEnumAttributeKindForName)       \
    X(GetInsertBlock) X(GetIntrinsicDeclaration) X(GetParam) \
    X(GetTargetFromTriple) X(GetUndef) X(GetVersion) X(InitializeX86AsmPrinter) X(InitializeX86Target)                \
    X(InitializeX86TargetInfo) X(InitializeX86TargetMC) X(Int64TypeInContext)                   \
    X(IntrinsicGetType) X(LookupIntrinsicID) X(ModuleCreateWithNameInContext) X(PointerTypeInContext)                 \
    X(PositionBuilderAtEnd) X(PrintModuleToString) X(SetAlignment) X(SetModuleDataLayout)                \
    X(SetTarget) X(TargetMachineEmitToMemoryBuffer) X(TypeOf) X(VectorType) X(VerifyModule) X(VoidTypeInContext)
// clang-format on

// Where LLVM was when liaison was built, then where systems keep it. Whole paths only: a bare name would also be looked for
// along LD_LIBRARY_PATH, where an empty element means the working directory, and what lies beside a model would be
// executed.
constexpr std::array<std::string_view, 6> k_folders = {
    LIAISON_LLVM_FOLDER, "/usr/lib/llvm-19/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64",
    "/usr/lib",          "/usr/local/lib"};

void* open_library() {
    for (const std::string_view folder : k_folders) {
        if (!folder.starts_with('/')) continue;
        for (const char* name : {"libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"}) {
            const std::string path = std::string(folder) + "/" + name;
            if (void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL)) return handle;
        }
    }
    return nullptr;
}

// NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared cannot stand in parentheses
struct Library {
#define LIAISON_DECLARE(name) decltype(&::LLVM##name) name = nullptr;
    LIAISON_LLVM_FUNCTIONS(LIAISON_DECLARE)
#undef LIAISON_DECLARE
    std::string missing; // why it cannot be used

    Library() {
        void* handle = open_library();
        if (handle == nullptr) {
            missing = "LLVM 19 is not installed (libLLVM.so.19.1 was not found in " +
                      std::string(k_folders.front()) + " or where the system keeps libraries)";
            return;
        }
#define LIAISON_LOAD(name)                                                                         \
    name = reinterpret_cast<decltype(name)>(dlsym(handle, "LLVM" #name));                          \
    if (name == nullptr) missing = "this LLVM lacks the function LLVM" #name;
        LIAISON_LLVM_FUNCTIONS(LIAISON_LOAD)
#undef LIAISON_LOAD
        // NOLINTEND(bugprone-macro-parentheses)
        if (!missing.empty()) return;
        InitializeX86TargetInfo();
        InitializeX86Target();
        InitializeX86TargetMC();
        InitializeX86AsmPrinter();
    }
};

const Library& library() {
    static const Library lib;
    return lib;
}

const Library& usable_library() {
    const Library& lib = library();
    if (!lib.missing.empty()) throw std::runtime_error(lib.missing);
    return lib;
}

std::string take(const Library& lib, char* text) {
    std::string result = text;
    lib.DisposeMessage(text);
    return result;
}

} // namespace

std::string llvm_missing() { return library().missing; }

std::string llvm_version() {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned patch = 0;
    usable_library().GetVersion(&major, &minor, &patch);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

struct LlvmBuilder::State {
    const Library& lib = usable_library();
    LLVMContextRef context = lib.ContextCreate();
    LLVMModuleRef module = lib.ModuleCreateWithNameInContext("liaison", context);
    LLVMBuilderRef builder = lib.CreateBuilderInContext(context);
    LLVMTargetMachineRef machine = nullptr;
    LLVMTypeRef void_type = lib.VoidTypeInContext(context);
    LLVMTypeRef f64 = lib.DoubleTypeInContext(context);
    LLVMTypeRef i64 = lib.Int64TypeInContext(context);
    LLVMTypeRef pointer = lib.PointerTypeInContext(context, 0);
    LLVMTypeRef real_type = nullptr; // one double, or a vector of them
    LLVMTypeRef bits_type = nullptr;
    LLVMValueRef function = nullptr;
    std::string triple;

    ~State() {
        lib.DisposeBuilder(builder);
        lib.DisposeModule(module);
        if (machine != nullptr) lib.DisposeTargetMachine(machine);
        lib.ContextDispose(context);
    }

    LLVMValueRef splat(LLVMValueRef constant, std::uint32_t lanes) {
        if (lanes == 1) return constant;
        std::vector<LLVMValueRef> all(lanes, constant);
        return lib.ConstVector(all.data(), lanes);
    }
    LLVMValueRef intrinsic(const char* name, std::span<LLVMValueRef> args) {
        const unsigned id = lib.LookupIntrinsicID(name, std::strlen(name));
        LLVMValueRef callee = lib.GetIntrinsicDeclaration(module, id, &real_type, 1);
        LLVMTypeRef type = lib.IntrinsicGetType(context, id, &real_type, 1);
        return lib.BuildCall2(builder, type, callee, args.data(),
                              static_cast<unsigned>(args.size()), "");
    }
    LLVMValueRef constant(std::uint64_t value) { return lib.ConstInt(i64, value, 0); }
    LLVMValueRef offset(LLVMTypeRef type, LLVMValueRef base, std::uint64_t index) {
        LLVMValueRef k = constant(index);
        return lib.BuildGEP2(builder, type, base, &k, 1, "");
    }
    LLVMValueRef lane(LLVMValueRef vector, std::uint32_t index, std::uint32_t lanes) {
        return lanes == 1 ? vector : lib.BuildExtractElement(builder, vector, constant(index), "");
    }
    void attribute(LLVMAttributeIndex index, const char* name) {
        const unsigned kind = lib.GetEnumAttributeKindForName(name, std::strlen(name));
        lib.AddAttributeAtIndex(function, index, lib.CreateEnumAttribute(context, kind, 0));
    }
};

LlvmBuilder::LlvmBuilder(const Target& target, std::uint32_t lanes)
    : target_(target), lanes_(lanes), state_(std::make_unique<State>()) {
    State& s = *state_;
    set_lanes(lanes);
    s.triple = take(s.lib, s.lib.GetDefaultTargetTriple());
    s.lib.SetTarget(s.module, s.triple.c_str());
}

LlvmBuilder::~LlvmBuilder() = default;

void LlvmBuilder::begin_function(const std::string& name, bool apart) {
    State& s = *state_;
    std::array<LLVMTypeRef, 4> params;
    params.fill(s.pointer);
    LLVMTypeRef type = s.lib.FunctionType(s.void_type, params.data(), 4, 0);
    s.function = s.lib.AddFunction(s.module, name.c_str(), type);
    s.attribute(LLVMAttributeFunctionIndex, "nounwind");
    if (apart) {
        for (const unsigned index : {1U, 2U, 3U, 4U}) s.attribute(index, "noalias");
    }
    // Inputs and links are only read.
    s.attribute(1, "readonly");
    s.attribute(4, "readonly");
    s.lib.AddTargetDependentFunctionAttr(s.function, "target-cpu", target_.cpu.c_str());
    s.lib.PositionBuilderAtEnd(s.builder,
                               s.lib.AppendBasicBlockInContext(s.context, s.function, ""));
}

void LlvmBuilder::set_lanes(std::uint32_t lanes) {
    State& s = *state_;
    lanes_ = lanes;
    s.real_type = lanes == 1 ? s.f64 : s.lib.VectorType(s.f64, lanes);
    s.bits_type = lanes == 1 ? s.i64 : s.lib.VectorType(s.i64, lanes);
}

LlvmBuilder::Handle LlvmBuilder::pack(std::span<const Handle> scalars) {
    if (lanes_ == 1) return scalars[0];
    State& s = *state_;
    LLVMValueRef vector = s.lib.GetUndef(s.real_type);
    for (std::uint32_t i = 0; i < lanes_; ++i) {
        vector = s.lib.BuildInsertElement(s.builder, vector, scalars[i], s.constant(i), "");
    }
    return vector;
}

LlvmBuilder::Handle LlvmBuilder::unpack(Handle vector, std::uint32_t lane) {
    return state_->lane(vector, lane, lanes_);
}

void LlvmBuilder::end_function() { state_->lib.BuildRetVoid(state_->builder); }

using Handle = LlvmBuilder::Handle;

Handle LlvmBuilder::real(double value) {
    return state_->splat(state_->lib.ConstReal(state_->f64, value), lanes_);
}
Handle LlvmBuilder::add(Handle a, Handle b) {
    return state_->lib.BuildFAdd(state_->builder, a, b, "");
}
Handle LlvmBuilder::sub(Handle a, Handle b) {
    return state_->lib.BuildFSub(state_->builder, a, b, "");
}
Handle LlvmBuilder::mul(Handle a, Handle b) {
    return state_->lib.BuildFMul(state_->builder, a, b, "");
}
Handle LlvmBuilder::div(Handle a, Handle b) {
    return state_->lib.BuildFDiv(state_->builder, a, b, "");
}
Handle LlvmBuilder::neg(Handle a) { return state_->lib.BuildFNeg(state_->builder, a, ""); }

Handle LlvmBuilder::fma(Handle a, Handle b, Handle c) {
    std::array<Handle, 3> args{a, b, c};
    if (!target_.fma) return call(static_cast<std::uint32_t>(Link::fma), args);
    return state_->intrinsic("llvm.fma", args);
}
Handle LlvmBuilder::abs(Handle a) { return state_->intrinsic("llvm.fabs", {&a, 1}); }
Handle LlvmBuilder::sqrt(Handle a) { return state_->intrinsic("llvm.sqrt", {&a, 1}); }
Handle LlvmBuilder::floor(Handle a) {
    if (!target_.round) return call(static_cast<std::uint32_t>(Link::floor), {&a, 1});
    return state_->intrinsic("llvm.floor", {&a, 1});
}

Handle LlvmBuilder::compare(Compare how, Handle a, Handle b) {
    const LLVMRealPredicate predicate = how == Compare::less         ? LLVMRealOLT
                                        : how == Compare::less_equal ? LLVMRealOLE
                                                                     : LLVMRealUNE;
    return state_->lib.BuildFCmp(state_->builder, predicate, a, b, "");
}
Handle LlvmBuilder::mask_and(Handle a, Handle b) {
    return state_->lib.BuildAnd(state_->builder, a, b, "");
}
Handle LlvmBuilder::mask_or(Handle a, Handle b) {
    return state_->lib.BuildOr(state_->builder, a, b, "");
}
Handle LlvmBuilder::mask_not(Handle a) { return state_->lib.BuildNot(state_->builder, a, ""); }
Handle LlvmBuilder::select(Handle mask, Handle yes, Handle no) {
    return state_->lib.BuildSelect(state_->builder, mask, yes, no, "");
}

Handle LlvmBuilder::bits(std::uint64_t value) {
    return state_->splat(state_->constant(value), lanes_);
}
Handle LlvmBuilder::to_bits(Handle a) {
    return state_->lib.BuildBitCast(state_->builder, a, state_->bits_type, "");
}
Handle LlvmBuilder::to_real(Handle a) {
    return state_->lib.BuildBitCast(state_->builder, a, state_->real_type, "");
}
Handle LlvmBuilder::bit_add(Handle a, Handle b) {
    return state_->lib.BuildAdd(state_->builder, a, b, "");
}
Handle LlvmBuilder::bit_sub(Handle a, Handle b) {
    return state_->lib.BuildSub(state_->builder, a, b, "");
}
Handle LlvmBuilder::bit_and(Handle a, Handle b) {
    return state_->lib.BuildAnd(state_->builder, a, b, "");
}
Handle LlvmBuilder::bit_or(Handle a, Handle b) {
    return state_->lib.BuildOr(state_->builder, a, b, "");
}
Handle LlvmBuilder::bit_xor(Handle a, Handle b) {
    return state_->lib.BuildXor(state_->builder, a, b, "");
}
Handle LlvmBuilder::shift_left(Handle a, unsigned by) {
    return state_->lib.BuildShl(state_->builder, a, bits(by), "");
}
Handle LlvmBuilder::shift_right(Handle a, unsigned by) {
    return state_->lib.BuildLShr(state_->builder, a, bits(by), "");
}
Handle LlvmBuilder::top_bit(Handle a) {
    return state_->lib.BuildICmp(state_->builder, LLVMIntSLT, a, bits(0), "");
}

Handle LlvmBuilder::load(Array array, std::uint64_t row) {
    State& s = *state_;
    LLVMValueRef base = s.lib.GetParam(s.function, static_cast<unsigned>(array));
    LLVMValueRef value =
        s.lib.BuildLoad2(s.builder, s.real_type, s.offset(s.f64, base, row * lanes_), "");
    s.lib.SetAlignment(value, alignof(double));
    return value;
}

void LlvmBuilder::store(Array array, std::uint64_t row, Handle value) {
    State& s = *state_;
    LLVMValueRef base = s.lib.GetParam(s.function, static_cast<unsigned>(array));
    s.lib.SetAlignment(s.lib.BuildStore(s.builder, value, s.offset(s.f64, base, row * lanes_)),
                       alignof(double));
}

Handle LlvmBuilder::whole(std::uint64_t value) { return state_->constant(value); }

Handle LlvmBuilder::load_whole(Array array, std::uint64_t place) {
    State& s = *state_;
    LLVMValueRef base = s.lib.GetParam(s.function, static_cast<unsigned>(array));
    return s.lib.BuildLoad2(s.builder, s.i64, s.offset(s.f64, base, place), "");
}

Handle LlvmBuilder::times(Handle a, std::uint64_t factor) {
    return state_->lib.BuildMul(state_->builder, a, state_->constant(factor), "");
}

Handle LlvmBuilder::load_at(Array array, std::uint64_t place, Handle offset) {
    State& s = *state_;
    LLVMValueRef base = s.lib.GetParam(s.function, static_cast<unsigned>(array));
    LLVMValueRef moved = s.lib.BuildGEP2(s.builder, s.f64, base, &offset, 1, "");
    LLVMValueRef value =
        s.lib.BuildLoad2(s.builder, s.real_type, s.offset(s.f64, moved, place), "");
    s.lib.SetAlignment(value, alignof(double));
    return value;
}

void LlvmBuilder::store_at(Array array, std::uint64_t place, Handle offset, Handle value) {
    State& s = *state_;
    LLVMValueRef base = s.lib.GetParam(s.function, static_cast<unsigned>(array));
    LLVMValueRef moved = s.lib.BuildGEP2(s.builder, s.f64, base, &offset, 1, "");
    s.lib.SetAlignment(s.lib.BuildStore(s.builder, value, s.offset(s.f64, moved, place)),
                       alignof(double));
}

std::vector<Handle> LlvmBuilder::repeat(Handle count, std::vector<Handle> carried,
                                        const Body& body) {
    State& s = *state_;
    const LLVMBasicBlockRef before = s.lib.GetInsertBlock(s.builder);
    const LLVMBasicBlockRef loop = s.lib.AppendBasicBlockInContext(s.context, s.function, "");
    const LLVMBasicBlockRef after = s.lib.AppendBasicBlockInContext(s.context, s.function, "");
    LLVMValueRef any = s.lib.BuildICmp(s.builder, LLVMIntSGT, count, s.constant(0), "");
    s.lib.BuildCondBr(s.builder, any, loop, after);

    s.lib.PositionBuilderAtEnd(s.builder, loop);
    LLVMValueRef left = s.lib.BuildPhi(s.builder, s.i64, "");
    std::vector<Handle> now;
    for (const Handle value : carried)
        now.push_back(s.lib.BuildPhi(s.builder, s.lib.TypeOf(value), ""));
    const std::vector<Handle> next = body(now);
    LLVMValueRef fewer = s.lib.BuildSub(s.builder, left, s.constant(1), "");
    LLVMValueRef more = s.lib.BuildICmp(s.builder, LLVMIntSGT, fewer, s.constant(0), "");
    const LLVMBasicBlockRef end = s.lib.GetInsertBlock(s.builder);
    s.lib.BuildCondBr(s.builder, more, loop, after);
    const auto come = [&](LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from) {
        s.lib.AddIncoming(phi, &value, &from, 1);
    };
    come(left, count, before);
    come(left, fewer, end);

    s.lib.PositionBuilderAtEnd(s.builder, after);
    std::vector<Handle> result;
    for (std::size_t i = 0; i < carried.size(); ++i) {
        come(now[i], carried[i], before);
        come(now[i], next[i], end);
        LLVMValueRef value = s.lib.BuildPhi(s.builder, s.lib.TypeOf(carried[i]), "");
        come(value, carried[i], before);
        come(value, next[i], end);
        result.push_back(value);
    }
    return result;
}

Handle LlvmBuilder::link(std::uint32_t index) {
    State& s = *state_;
    LLVMValueRef base = s.lib.GetParam(s.function, static_cast<unsigned>(Array::links));
    return s.lib.BuildLoad2(s.builder, s.pointer, s.offset(s.pointer, base, index), "");
}

Handle LlvmBuilder::per_lane(std::uint32_t function, std::span<const Handle> args, Handle object) {
    State& s = *state_;
    std::vector<LLVMTypeRef> types;
    if (object != nullptr) types.push_back(s.pointer);
    types.insert(types.end(), args.size(), s.f64);
    LLVMTypeRef type =
        s.lib.FunctionType(s.f64, types.data(), static_cast<unsigned>(types.size()), 0);
    LLVMValueRef callee = link(function);
    LLVMValueRef result = s.lib.GetUndef(s.real_type);
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        std::vector<LLVMValueRef> values;
        if (object != nullptr) values.push_back(object);
        for (const Handle a : args) values.push_back(s.lane(a, lane, lanes_));
        LLVMValueRef y = s.lib.BuildCall2(s.builder, type, callee, values.data(),
                                          static_cast<unsigned>(values.size()), "");
        result =
            lanes_ == 1 ? y : s.lib.BuildInsertElement(s.builder, result, y, s.constant(lane), "");
    }
    return result;
}

Handle LlvmBuilder::call(std::uint32_t function, std::span<const Handle> args) {
    return per_lane(function, args, nullptr);
}

Handle LlvmBuilder::call_with_object(std::uint32_t function, std::uint32_t object, Handle a) {
    return per_lane(function, {&a, 1}, link(object));
}

void LlvmBuilder::call_kernel(std::uint32_t function, std::uint32_t object, std::uint64_t x,
                              std::uint64_t y, std::uint64_t z) {
    State& s = *state_;
    LLVMTypeRef types[] = {s.pointer, s.pointer, s.pointer, s.pointer, s.i64};
    LLVMTypeRef type = s.lib.FunctionType(s.void_type, types, 5, 0);
    LLVMValueRef base = s.lib.GetParam(s.function, static_cast<unsigned>(Array::workspace));
    LLVMValueRef args[] = {link(object), s.offset(s.f64, base, x), s.offset(s.f64, base, y),
                           s.offset(s.f64, base, z), s.constant(lanes_)};
    s.lib.BuildCall2(s.builder, type, link(function), args, 5, "");
}

std::string LlvmBuilder::text() const {
    return take(state_->lib, state_->lib.PrintModuleToString(state_->module));
}

std::vector<std::byte> LlvmBuilder::object() {
    State& s = *state_;
    char* message = nullptr;
    if (s.lib.VerifyModule(s.module, LLVMReturnStatusAction, &message) != 0) {
        throw base::InternalError("generated code is well formed", take(s.lib, message));
    }
    s.lib.DisposeMessage(message);

    LLVMTargetRef target = nullptr;
    if (s.lib.GetTargetFromTriple(s.triple.c_str(), &target, &message) != 0) {
        throw std::runtime_error(take(s.lib, message));
    }
    s.machine = s.lib.CreateTargetMachine(target, s.triple.c_str(), target_.cpu.c_str(), "",
                                          LLVMCodeGenLevelLess, LLVMRelocPIC, LLVMCodeModelSmall);
    LLVMTargetDataRef layout = s.lib.CreateTargetDataLayout(s.machine);
    s.lib.SetModuleDataLayout(s.module, layout);
    s.lib.DisposeTargetData(layout);

    LLVMMemoryBufferRef buffer = nullptr;
    if (s.lib.TargetMachineEmitToMemoryBuffer(s.machine, s.module, LLVMObjectFile, &message,
                                              &buffer) != 0) {
        throw std::runtime_error(take(s.lib, message));
    }
    const auto* begin = reinterpret_cast<const std::byte*>(s.lib.GetBufferStart(buffer));
    std::vector<std::byte> result(begin, begin + s.lib.GetBufferSize(buffer));
    s.lib.DisposeMemoryBuffer(buffer);
    return result;
}

} // namespace liaison::compile
