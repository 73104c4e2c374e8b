// SPDX-License-Identifier: Apache-2.0
// Which contacts feel each other: bodies found once from the sparsity, responses solved body by body.
//
// Unknowns that the kinetic metric or a bilateral constraint couples belong to one body (theory of many contacts, §5.6);
// the ground joins nothing. Then A is block diagonal over the bodies, a contact moves only the bodies that it touches,
//   R_k = A⁻¹ W_kᵀ,   D_ik = Σ over common bodies of W_i R_k,
// and in a column, a wall or a row of balls the cost grows with the number of contacts and not with its cube.
#pragma once

#include "liaison/expr/structure.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <cstddef>
#include <span>
#include <vector>

namespace liaison::realise {

// Where the entries of a sparse matrix are; columns ascend in a row.
struct RowPattern {
    std::vector<std::size_t> start{0};
    std::vector<Eigen::Index> column;

    [[nodiscard]] Eigen::Index rows() const { return static_cast<Eigen::Index>(start.size()) - 1; }
    // The place of (row, column); size() where there is none.
    [[nodiscard]] std::size_t place(Eigen::Index row, Eigen::Index column) const;
    [[nodiscard]] std::size_t size() const { return column.size(); }
};

// Numbers in a pattern that lives longer than they do.
struct SparseRows {
    const RowPattern* pattern = nullptr;
    std::vector<double> value;

    [[nodiscard]] double operator()(Eigen::Index row, Eigen::Index column) const;
    // Σ_k x_k row(rows[k]), of length n.
    [[nodiscard]] Eigen::VectorXd combined(std::span<const Eigen::Index> rows,
                                           const Eigen::VectorXd& x, Eigen::Index n) const;
    // target += factor · row(row)
    void add(Eigen::Index row, double factor, double* target) const;
    [[nodiscard]] Eigen::MatrixXd dense(Eigen::Index columns) const;
    // The square block of these rows and columns.
    [[nodiscard]] Eigen::MatrixXd block(std::span<const Eigen::Index> set) const;
    [[nodiscard]] Eigen::SparseMatrix<double> sparse_block(std::span<const Eigen::Index> set) const;
};

// One entry of W: contact or slip, unknown.
struct LoadEntry {
    std::size_t row = 0;
    std::size_t column = 0;
};

class ContactBodies {
  public:
    ContactBodies() = default;
    // `n_velocities`: the first unknowns, whose response is asked for.
    ContactBodies(const expr::Structure& structure, std::span<const LoadEntry> loads,
                  std::size_t n_rows, std::size_t n_velocities);

    struct Solved {
        SparseRows response; // rows × velocities
        SparseRows D;
        Eigen::VectorXd free; // W u̇ without contact forces
        Eigen::VectorXd v_dot;
        bool regular = true;
        Eigen::MatrixXd right; // of one body, in passing
    };
    // `matrix`: the entries of the structure; `load`: those of W, in the order given above. The storage of `result` is
    // used again.
    void solve(std::span<const double> matrix, std::span<const double> rhs,
               std::span<const double> load, Solved& result) const;

  private:
    struct Place {
        std::size_t value; // index among the entries
        Eigen::Index row; // within the body
        Eigen::Index column;
    };
    struct Body {
        std::vector<Eigen::Index> unknowns;
        std::vector<Eigen::Index> rows; // contacts and slips that touch it
        std::vector<Place> matrix; // unknown, unknown
        std::vector<Place> load; // row, unknown
        std::vector<std::size_t> D; // place of (row i, row j) at i·rows + j
        std::vector<std::size_t> response; // place of (row i, unknown j) at i·unknowns + j
    };
    // Solves A X = right in place; false: A does not determine X.
    bool solve(const Body& body, std::span<const double> matrix, Eigen::MatrixXd& right) const;
    void add(const Body& body, const Eigen::MatrixXd& solution, std::span<const double> load,
             Solved& result) const;

    bool symmetric_ = true;
    std::size_t n_rows_ = 0;
    std::size_t n_velocities_ = 0;
    std::vector<Body> bodies_;
    RowPattern response_;
    RowPattern D_;
};

} // namespace liaison::realise
